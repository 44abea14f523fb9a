"""Slow, obvious references of the methods that look for a median partition or learn a matrix.

Nothing here imports the engine. Everything works on objects: labels is an (N, M) list or array of integers, and a
partition a list of N numbers.
"""

import math

import numpy as np

from tests.naive import clusters


def one_hot(labels):
    """Which object is in which cluster: N x K, clusters by base clustering, then by first appearance."""
    return np.array([[float(i in group) for each in clusters(labels) for group in each] for i in range(len(labels))])


def kcc_weights(labels, utility):
    """One over what every base clustering shares with itself, for the normalised utilities."""
    weights = []
    for each in clusters(labels):
        shares = [len(group) / len(labels) for group in each]
        own = sum(p * p for p in shares) if utility == "NU_c" else -sum(p * math.log2(p) for p in shares)
        plain = not utility.startswith("N")
        weights.append(1.0 if plain else 0.0 if len(each) == 1 else 1 / own)
    return weights


def kcc_objective(labels, partition, utility):
    """Sum over objects of the squared distance to their centre, or of the conditional entropies in bits."""
    total = 0.0
    for weight, each in zip(kcc_weights(labels, utility), clusters(labels), strict=True):
        for own in set(partition):
            members = {i for i, a in enumerate(partition) if a == own}
            shares = [len(members & group) / len(members) for group in each]
            if utility.endswith("c"):
                total += weight * len(members) * (1 - sum(p * p for p in shares))
            else:
                total -= weight * len(members) * sum(p * math.log2(p) for p in shares if p > 0)
    return total


def sec_objective(labels, partition):
    """Normalised cut of the graph that counts how often objects meet, each with itself included."""
    met = one_hot(labels) @ one_hot(labels).T
    total = 0.0
    for own in set(partition):
        inside = np.array([a == own for a in partition])
        total += met[inside][:, ~inside].sum() / met[inside].sum()
    return total


def labels_kmeans(labels, starts, utility, rounds=100):
    """Lloyd's rounds on objects, without repair: a partition, or None if a cluster was emptied; starts are objects."""
    rows, sec = one_hot(labels), utility == "SEC"
    values = np.concatenate(
        [[w] * len(each) for w, each in zip(kcc_weights(labels, utility), clusters(labels), strict=True)]
    )
    degrees = rows @ rows.sum(axis=0) if sec else np.ones(len(rows))
    centres = [rows[i] / degrees[i] for i in starts]
    partition = None
    for _ in range(rounds):
        if utility.endswith("H"):
            far = [[-sum(values * row * np.log2(c + 2.0**-52)) for c in centres] for row in rows]
        else:
            far = [[sum(values * (row / w - c) ** 2) for c in centres] for row, w in zip(rows, degrees, strict=True)]
        found = [int(np.argmin(np.round(distances, 9))) for distances in far]
        if len(set(found)) < len(centres):
            return None
        if found == partition:
            return partition
        partition = found
        centres = [rows[np.array(found) == a].sum(0) / degrees[np.array(found) == a].sum() for a in range(len(starts))]
    return partition


def dense_representation(labels, lam, rounds):
    """DREC on distinct rows, each once: |X - XZ|_2,1 + lam |Z|^2, every round one least squares a column."""
    columns = one_hot(labels).T
    weights = np.ones(columns.shape[1])
    for _ in range(rounds):
        z = np.array(
            [
                np.linalg.solve(w * columns.T @ columns + lam * np.eye(len(weights)), w * columns.T @ x)
                for w, x in zip(weights, columns.T, strict=True)
            ]
        ).T
        weights = 1 / (2 * np.linalg.norm(columns - columns @ z, axis=0))
    return z


def sharpened(z):
    """Angles between the rows of U sqrt(s), to the fourth power of their cosine."""
    u, s, _ = np.linalg.svd(z)
    rows = (u * np.sqrt(s))[:, s > 1e-4 * s[0]]
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows @ rows.T) ** 4


def top_spectrum(graph, k):
    """Eigenvectors of the k largest eigenvalues of D^-1/2 W D^-1/2, as a projector."""
    root = 1 / np.sqrt(graph.sum(axis=1))
    vectors = np.linalg.eigh(graph * root * root[:, None])[1][:, -k:]
    return vectors @ vectors.T


def smoothest(graph, k):
    """The k + 1 smallest eigenvalues of D - S, and the vectors of the first k."""
    values, vectors = np.linalg.eigh(np.diag(graph.sum(axis=1)) - graph)
    return values[: k + 1], vectors[:, :k]


def verdict(values):
    """1 where a graph has fewer than k components, -1 where it has more."""
    return 1 if values[:-1].sum() > 1e-9 else -1 if values.sum() < 1e-11 else 0


def on_simplex(row):
    """The nearest non-negative row that adds up to 1."""
    falling = sorted(row, reverse=True)
    excess = [(sum(falling[: t + 1]) - 1) / (t + 1) for t in range(len(row))]
    low = [e for x, e in zip(falling, excess, strict=True) if x > e][-1]
    return np.maximum(row - low, 0)


def divergences(each, b):
    """KL(A_m,i || B_i) for every base clustering and object: M x N."""
    found = np.zeros((len(each), len(b)))
    for m, a in enumerate(each):
        for i, j in zip(*np.nonzero(a), strict=True):
            found[m, i] += a[i, j] * math.log(a[i, j] / b[i, j])
    return found


def tri_level_graph(labels, k, gamma, rounds, last_alone=False):
    """TRCE on objects: S, and the eigenvalues it ended with."""
    n, m_total = len(labels), len(labels[0])
    each = [(np.array(column)[:, None] == np.array(column)).astype(float) for column in zip(*labels, strict=True)]
    each = [a / a.sum(axis=1, keepdims=True) for a in each]
    b = sum(each) / m_total
    _, f = smoothest(b, k)
    alpha, rho, age = np.full(m_total, float(m_total)), 1.0, None
    for _ in range(rounds):
        far = divergences(each, b)
        badness = m_total * alpha[-1] * far[-1] if last_alone else alpha @ far
        age = 2 * sorted(badness)[max(n // 10, 1) - 1] if age is None else 1.1 * age
        w = np.minimum(1, age / (2 * badness))
        d = ((f[:, None] - f) ** 2).sum(axis=2)
        c = (w**2)[:, None] * sum(weight * a for weight, a in zip(alpha, each, strict=True))
        for i in range(n):
            low, high = 0.0, c[i].sum()
            for _ in range(200):
                middle = (low + high) / 2
                low, high = (middle, high) if (c[i] / (rho * d[i] + middle)).sum() > 1 else (low, middle)
            b[i] = c[i] / (rho * d[i] + high)
        s = np.array([on_simplex(row) for row in b - rho * d / (2 * gamma)])
        s = (s + s.T) / 2
        values, new = smoothest(s, k)
        roots = np.sqrt(divergences(each, b) @ w**2)
        alpha = roots.sum() / roots
        if verdict(values) == 0:
            break
        rho, f = (2 * rho, new) if verdict(values) > 0 else (rho / 2, f)
    return s, values


def self_paced_graph(labels, k, g):
    """SPCE on objects: S, and the eigenvalues it ended with."""
    m_total = len(labels[0])
    each = [(np.array(column)[:, None] == np.array(column)).astype(float) for column in zip(*labels, strict=True)]
    met = sum(each)
    s, p, lam = met / m_total, np.full(m_total, 1 / m_total), 1.0
    values, f = smoothest(s, k)
    for q in (0.9, 0.8, 0.7, 0.6, 0.5):
        rho = 2 * ((q - 1) ** 2 * q + q**2 * (1 - q)) * m_total**2
        disagreement = sum((s - a) ** 2 / weight for a, weight in zip(each, p, strict=True))
        w = np.minimum(1, rho / np.maximum(2 * disagreement, 1e-300))
        for t in range(20 if q == 0.5 else 5):
            d = ((f[:, None] - f) ** 2).sum(axis=2)
            s = sum(a / weight for a, weight in zip(each, p, strict=True)) - lam * d / (2 * w**2)
            s = s / (1 / p).sum()
            s[s < g * m_total / (w * math.sqrt((1 / p).sum()))] = 0
            s = np.clip(s, 0, 1)
            s[met == m_total], s[met == 0] = 1, 0
            values, new = smoothest(s, k)
            p = np.array([np.linalg.norm((s - a) * w) for a in each])
            p /= p.sum()
            wanting = verdict(values)
            lam, f = lam * 2.0**wanting, f if wanting < 0 else new
            if wanting == 0 and t > 0:
                break
    return s, values


def two_level_co_association(labels, take_all=False):
    """TOME on objects: the refined matrix with 1 for an object with itself, and the scaled stabilities."""
    n, m_total = len(labels), len(labels[0])
    rows = one_hot(labels)
    distance = np.sqrt(((rows[:, None] - rows) ** 2).sum(axis=2))
    flat = [group for each in clusters(labels) for group in each]

    def inside(group):
        longest = max(distance[i, j] for i in group for j in group)
        found = np.zeros((n, n))
        for i in group:
            for j in group:
                found[i, j] = 1 - distance[i, j] / longest if longest > 0 else 1
        return found

    plain = sum(inside(group) for group in flat) / m_total
    stability = []
    for group in flat:
        own, total = len(group), sum(plain[i, j] for i in group for j in group)
        stability.append((total - (n if take_all else own)) / (own * (own - 1)) if own > 1 else 0.0)
    low, high = min(stability), max(stability)
    scaled = [1.0 if high - low < 1e-12 else (s - low) / (high - low) for s in stability]
    refined = sum(weight * inside(group) for weight, group in zip(scaled, flat, strict=True))
    refined = refined / refined.max()
    np.fill_diagonal(refined, 1)
    return refined, np.array(scaled)


def best_paths(similarity):
    """The weakest step of the best path, by trying every object in between."""
    paths = np.array(similarity, dtype=float)
    for between in range(len(paths)):
        paths = np.maximum(paths, np.minimum(paths[:, between][:, None], paths[between]))
    return paths


def smoothest_generalised(graph, k):
    """The k smallest generalised eigenvalues of (D - W, D), and the Gram matrix of their vectors."""
    degrees = graph.sum(axis=1)
    root = 1 / np.sqrt(degrees)
    values, vectors = np.linalg.eigh(graph * root * root[:, None])
    vectors = vectors[:, -k:] * root[:, None]
    return 1 - values[::-1][:k], vectors @ vectors.T


def robust_representation(similarity, k, l1, l2, rounds=300):
    """RSEC on objects: Z, HH', and whether it settled."""
    n = len(similarity)
    z, e, y1, y2, h, d = *(np.zeros((n, n)) for _ in range(4)), np.zeros((n, k)), np.ones(n)
    mu = 1.5 / np.linalg.norm(similarity, 2)
    for _ in range(rounds):
        u, values, v = np.linalg.svd(z + y2 / mu)
        j = u @ np.diag(np.maximum(values - l1 / mu, 0)) @ v
        pull = np.diag(d**-0.5) @ h @ h.T @ np.diag(d**-0.5)
        right = similarity.T @ similarity + j - similarity.T @ e + (similarity.T @ y1 - y2 + pull) / mu
        z = np.linalg.solve(similarity.T @ similarity + np.eye(n), right)
        e = similarity - similarity @ z + y1 / mu
        for column in range(n):
            e[:, column] *= max(0, 1 - l2 / mu / max(np.linalg.norm(e[:, column]), 1e-300))
        graph = sharpened((z + z.T) / 2 + h @ h.T)
        d = graph.sum(axis=1)
        h = np.linalg.eigh(np.diag(d**-0.5) @ graph @ np.diag(d**-0.5))[1][:, -k:]
        y1 = y1 + mu * (similarity - similarity @ z - e)
        y2 = y2 + mu * (z - j)
        mu = min(1.1 * mu, 1e10)
        settled = max(np.abs(similarity - similarity @ z - e).max(), np.abs(z - j).max()) < 1e-7
        if settled:
            break
    return z, h @ h.T, settled


def completed(similarity, price, low, high, rounds=1000):
    """ECMC on objects: X, and its objective |X|_* + price |B - X|_1 over the pairs observed."""
    given = (similarity >= high - 1e-9).astype(float)
    observed = (given == 1) | (similarity <= low + 1e-9)
    mu = 3 / np.linalg.norm(given, 2)
    x, e, y = (np.zeros_like(given) for _ in range(3))
    for _ in range(rounds):
        u, s, v = np.linalg.svd(given - e + y / mu)
        x = u @ np.diag(np.maximum(s - 1 / mu, 0)) @ v
        q, before = given - x + y / mu, e
        e = np.where(observed, np.sign(q) * np.maximum(abs(q) - price / mu, 0), q)
        y = y + mu * (given - x - e)
        if max(np.linalg.norm(given - x - e), np.linalg.norm(e - before)) < 1e-6 * np.linalg.norm(given):
            break
    return x, np.linalg.svd(x)[1].sum() + price * abs((given - x)[observed]).sum()
