"""Slow, obvious references, straight from the papers. Nothing here imports the engine.

Everything works on objects: labels is an (N, M) list or array of integers.
"""

import itertools
import math
from fractions import Fraction

import numpy as np


def clusters(labels):
    """All clusters as sets of objects: by base clustering, then by first appearance."""
    found = []
    for m in range(len(labels[0])):
        seen = {}
        for i, row in enumerate(labels):
            seen.setdefault(row[m], set()).add(i)
        found.append(list(seen.values()))
    return found


def cluster_uncertainty(labels):
    """LWEA paper, eqs. 7-9: bits."""
    by_clustering = clusters(labels)
    result = []
    for group in itertools.chain(*by_clustering):
        total = 0.0
        for other in by_clustering:
            for cell in other:
                p = len(group & cell) / len(group)
                total -= p * math.log2(p) if p > 0 else 0.0
        result.append(total)
    return np.array(result)


def cluster_index(labels, theta):
    """LWEA paper, eq. 10."""
    return np.exp(-cluster_uncertainty(labels) / (theta * len(labels[0])))


def weighted_co_association(labels, weights):
    """LWEA paper, eq. 15; unit weights give eq. 12. N x N."""
    n, m_total = len(labels), len(labels[0])
    flat = list(itertools.chain(*clusters(labels)))
    matrix = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            for weight, group in zip(weights, flat, strict=True):
                if i in group and j in group:
                    matrix[i, j] += weight / m_total
    return matrix


def agglomerate(similarity, k, linkage="average"):
    """Merge the two most similar groups until k are left; ties to the lowest indices."""
    groups = [[i] for i in range(len(similarity))]
    while len(groups) > k:
        best, pair = -np.inf, None
        for a, b in itertools.combinations(range(len(groups)), 2):
            values = [similarity[i, j] for i in groups[a] for j in groups[b]]
            value = {"average": np.mean, "complete": np.min, "single": np.max}[linkage](values)
            if value > best + 1e-12:
                best, pair = value, (a, b)
        a, b = pair
        groups[a] += groups.pop(b)
    labels = np.empty(len(similarity), int)
    for name, group in enumerate(groups):
        labels[group] = name
    return labels


def tcut_embedding(bipartite, k):
    """Tcut on objects, all in dense matrices: rows of the row-normalised embedding."""
    b = np.asarray(bipartite, float)
    d_x = b.sum(axis=1)
    w_y = b.T @ np.diag(1 / d_x) @ b
    d_y = w_y.sum(axis=1)
    normalised = np.diag(d_y**-0.5) @ w_y @ np.diag(d_y**-0.5)
    values, vectors = np.linalg.eigh(normalised)
    v = np.diag(d_y**-0.5) @ vectors[:, np.argsort(values)[::-1][:k]]
    x = np.diag(1 / d_x) @ b @ v
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def mutual_information(a, b):
    """I(a; b), H(a), H(b) in nats, from joint counts."""
    n = len(a)
    joint, count_a, count_b = {}, {}, {}
    for x, y in zip(a, b, strict=True):
        joint[x, y] = joint.get((x, y), 0) + 1
        count_a[x] = count_a.get(x, 0) + 1
        count_b[y] = count_b.get(y, 0) + 1
    information = sum(c / n * math.log(c * n / (count_a[x] * count_b[y])) for (x, y), c in joint.items())
    entropies = [-sum(c / n * math.log(c / n) for c in counts.values()) for counts in (count_a, count_b)]
    return information, *entropies


def pair_table(a, b):
    """Pairs together in both, in a only, in b only, in neither."""
    both = only_a = only_b = neither = 0
    for i, j in itertools.combinations(range(len(a)), 2):
        in_a, in_b = a[i] == a[j], b[i] == b[j]
        both += in_a and in_b
        only_a += in_a and not in_b
        only_b += in_b and not in_a
        neither += not in_a and not in_b
    return both, only_a, only_b, neither


def accuracy(labels, truth):
    """Best over all one-to-one matchings, by trying them all."""
    names, classes = sorted(set(labels)), sorted(set(truth))
    classes = classes + [None] * max(0, len(names) - len(classes))
    best = 0
    for matching in itertools.permutations(classes, len(names)):
        renamed = dict(zip(names, matching, strict=True))
        best = max(best, sum(renamed[x] == t for x, t in zip(labels, truth, strict=True)))
    return best / len(labels)


def microclusters(labels):
    """Groups of objects with equal rows, in order of first appearance (PTA paper, Definition 1)."""
    groups = {}
    for i, row in enumerate(labels):
        groups.setdefault(tuple(row), []).append(i)
    return list(groups.values())


def elite_neighbor_graph(similarity, neighbors):
    """PTA paper, Definitions 5 to 7: the matrix of link weights that stay."""
    n = len(similarity)
    threshold = []
    for i in range(n):
        weights = sorted((similarity[i][j] for j in range(n) if j != i), reverse=True)
        threshold.append(weights[min(neighbors, n - 1) - 1] if weights else 0)
    kept = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if i != j and (similarity[i][j] >= threshold[i] or similarity[i][j] >= threshold[j]):
                kept[i, j] = similarity[i][j]
    return kept


def transition_matrix(weights, sizes):
    """PTA paper, eq. 10."""
    n = len(weights)
    p = np.zeros((n, n))
    for i in range(n):
        total = sum(sizes[k] * weights[i][k] for k in range(n) if k != i)
        for j in range(n):
            p[i, j] = sizes[j] * weights[i][j] / total if total > 0 else 0
    return p


def trajectories(p, length):
    """PTA paper, eq. 11: row i holds p_i^1, p_i^2, ..., p_i^T, one after the other."""
    powers = [p]
    while len(powers) < length:
        powers.append(p @ powers[-1])
    return np.hstack(powers)


def trajectory_similarity(p, length):
    """PTA paper, eqs. 12 and 13; whoever walks nowhere is like itself alone."""
    paths = trajectories(p, length)
    n = len(p)
    cosines = np.eye(n)
    for i in range(n):
        for j in range(n):
            lengths = np.linalg.norm(paths[i]) * np.linalg.norm(paths[j])
            if i != j and lengths > 0:
                cosines[i, j] = paths[i] @ paths[j] / lengths
    return cosines


def cluster_trajectory_similarity(labels, similarity, groups=None):
    """PTA paper, eq. 15: microclusters (`groups` of objects) by clusters; |C| counts microclusters."""
    groups = microclusters(labels) if groups is None else groups
    columns = []
    for cluster in itertools.chain(*clusters(labels)):
        members = [y for y, group in enumerate(groups) if group[0] in cluster]
        columns.append([np.mean([similarity[y, k] for k in members]) for y in range(len(groups))])
    return np.array(columns).T


def high_confidence(labels, alpha):
    """EC-CMS paper, eq. 2, on counts; and the pairs it takes, Omega. N x N."""
    n, m_total = len(labels), len(labels[0])
    matrix, omega = np.zeros((n, n)), np.zeros((n, n), bool)
    for i in range(n):
        for j in range(n):
            count = sum(labels[i][m] == labels[j][m] for m in range(m_total))
            if count >= alpha * m_total - 1e-9:
                matrix[i, j], omega[i, j] = count / m_total, True
    return matrix, omega


def enhance(similarity, labels, alpha, lam, iterations):
    """EC-CMS paper, Algorithm 1 line by line with gamma_1 = gamma_2 = 1: C made symmetric, and the residuals."""
    a = np.asarray(similarity, float)
    h, omega = high_confidence(labels, alpha)
    phi = np.diag(h.sum(axis=1)) - h
    c, e, f = (np.zeros_like(a) for _ in range(3))
    y1, y2 = a - c - e, c - f
    residuals = []
    for _ in range(iterations):
        before = c, e, f, y1, y2
        c = np.linalg.inv(2 * phi + 2 * np.eye(len(a))) @ ((a - e + y1) + (f - y2))
        e = np.where(omega, 0, (a - c + y1) / (lam + 1))
        p3 = c + y2
        f = np.minimum(np.maximum((p3 + p3.T) / 2, 0), 1)
        y1 = y1 + (a - c - e)
        y2 = y2 + (c - f)
        changes = [np.linalg.norm(new - old) for new, old in zip((c, e, f, y1, y2), before, strict=True)]
        changes = [d if d > 1e-12 else 0 for d in changes]  # rounding
        sizes = (np.linalg.norm(old) for old in before)
        residuals.append([d / s if s > 0 else (np.inf if d > 0 else 0) for d, s in zip(changes, sizes, strict=True)])
    return (c + c.T) / 2, np.array(residuals)


def enhanced_optimum(similarity, labels, alpha, lam, laplacian=True, completion=True):
    """EC-CMS paper, eq. 5, as least squares with bounds over the free pairs, by a generic active-set solver.

    tr(C^T Phi C) = sum_{i < j} h_ij ||C_i - C_j||^2; one row a link and column, one a free pair.
    """
    from scipy.optimize import lsq_linear

    a = np.asarray(similarity, float)
    n = len(a)
    h, omega = high_confidence(labels, alpha)
    omega = omega if completion else np.zeros_like(omega)
    free = [(i, j) for i in range(n) for j in range(i, n) if not omega[i, j]]
    number = {pair: t for t, pair in enumerate(free)}
    rows, targets = [], []

    def add(weight, entries, target):
        row = np.zeros(len(free))
        for (i, j), sign in entries:
            pair = (min(i, j), max(i, j))
            if pair in number:
                row[number[pair]] += sign * weight
            else:
                target -= sign * a[i, j]
        rows.append(row)
        targets.append(weight * target)

    for i, j in itertools.combinations(range(n), 2):
        for column in range(n if laplacian else 0):
            add(math.sqrt(h[i, j]), [((i, column), 1), ((j, column), -1)], 0)
    for i, j in free:
        add(math.sqrt(lam / 2 * (1 if i == j else 2)), [((i, j), 1)], a[i, j])
    c = a.copy()
    if free:
        found = lsq_linear(np.array(rows), np.array(targets), (0, 1), method="bvls", tol=1e-15).x
        for (i, j), value in zip(free, found, strict=True):
            c[i, j] = c[j, i] = value
    return c


def refined_steps(labels, refine=True):
    """GoT paper, DM and RM in steps of 1/M, by Floyd and Warshall. N x N."""
    n, m_total = len(labels), len(labels[0])
    p = [[sum(labels[i][m] != labels[j][m] for m in range(m_total)) for j in range(n)] for i in range(n)]
    for via in range(n if refine else 0):
        for i in range(n):
            for j in range(n):
                p[i][j] = min(p[i][j], p[i][via] + p[via][j])
    return p


def densities(labels):
    """GoT paper, eq. 3, as exact fractions."""
    n, m_total = len(labels), len(labels[0])
    return [
        Fraction(sum(labels[i][m] == labels[j][m] for m in range(m_total) for j in range(n)), n * m_total)
        for i in range(n)
    ]


def capacities(distance, density):
    """GoT paper, eq. 4; of equal densities the lower index is denser (eq. 6)."""
    n = len(density)
    result = []
    for i in range(n):
        denser = [j for j in range(n) if (density[j], -j) > (density[i], -i)]
        result.append(min(distance[i][j] for j in denser) if denser else max(map(max, distance)))
    return result


def discover_prototypes(labels, k, refine=True):
    """GoT paper, Algorithm 1: top k of rho delta, the lower index first."""
    density = densities(labels)
    capacity = capacities(refined_steps(labels, refine), density)
    return sorted(range(len(labels)), key=lambda i: (-density[i] * capacity[i], i))[:k]


def otsu(values):
    """Threshold that maximises the variance between {x <= th} and {x > th}; the lowest of the best, None if none."""
    best, threshold = Fraction(-1), None
    for th in sorted(set(values))[:-1]:
        low, high = [x for x in values if x <= th], [x for x in values if x > th]
        apart = Fraction(sum(low), len(low)) - Fraction(sum(high), len(high))
        if len(low) * len(high) * apart**2 > best:
            best, threshold = len(low) * len(high) * apart**2, th
    return threshold


def grow_trees(labels, prototypes, distance):
    """GoT paper, Algorithm 2 on objects: tree, round of joining, node linked to; margins in steps of 1/M."""
    n, m_total = len(labels), len(labels[0])
    together = [[sum(labels[i][m] == labels[j][m] for m in range(m_total)) for j in range(n)] for i in range(n)]
    trees = [[z] for z in prototypes]
    tree, joined, link = ({z: value for z in prototypes} for value in (None, 0, -1))
    tree.update({z: t for t, z in enumerate(prototypes)})
    number = 0
    while len(tree) < n:
        number += 1
        waiting = [i for i in range(n) if i not in tree]
        ties = {i: [max(together[i][b] for b in members) for members in trees] for i in waiting}
        margins = {i: sorted([0, *ties[i]])[-1] - sorted([0, *ties[i]])[-2] for i in waiting}
        threshold = otsu(list(margins.values()))
        tied = [i for i in waiting if max(ties[i]) > 0] or waiting
        chosen = tied if threshold is None else [i for i in waiting if margins[i] > threshold]
        arrivals = []
        for i in chosen:
            near = together[i] if max(ties[i]) > 0 else [-p for p in distance[i]]
            reach = [max(near[b] for b in members) for members in trees]
            t = reach.index(max(reach))
            ordered = sorted(trees[t], key=lambda b: (joined[b], b))
            arrivals.append((i, t, next(b for b in ordered if near[b] == reach[t])))
        for i, t, b in arrivals:
            trees[t].append(i)
            tree[i], joined[i], link[i] = t, number, b
    return tuple([of[i] for i in range(n)] for of in (tree, joined, link))


def lac_seeds(points, k, seed):
    """Ten objects a cluster drawn at random; the first, then each time the one farthest from those chosen."""
    drawn = np.random.default_rng(seed).choice(len(points), min(len(points), 10 * k), replace=False)
    chosen = [drawn[0]]
    while len(chosen) < k:
        reach = [min(sum((points[i] - points[c]) ** 2) for c in chosen) for i in drawn]
        chosen.append(drawn[reach.index(max(reach))])
    return [list(points[c]) for c in chosen]


def lac_distance(x, centre, weights):
    """LAC paper, eq. 3.1."""
    return math.sqrt(sum(w * (a - c) ** 2 for a, c, w in zip(x, centre, weights, strict=True)))


def lac_error(points, labels, inverse_h):
    """LAC paper, eq. 3.3 at the weights of 3.4; clusters by their share of objects, and entropy against uniform."""
    total = 0.0
    for j in set(labels):
        members = [x for x, label in zip(points, labels, strict=True) if label == j]
        centre = [sum(column) / len(members) for column in zip(*members, strict=True)]
        spread = lac_dispersion(members, centre)
        for w, s in zip(lac_weights(spread, inverse_h), spread, strict=True):
            entropy = w * math.log(w * len(spread)) if w > 0 else 0.0
            total += len(members) / len(points) * (w * s + entropy / inverse_h)
    return total


def lac_dispersion(members, centre):
    """LAC paper, X of section 3."""
    return [sum((x[i] - centre[i]) ** 2 for x in members) / len(members) for i in range(len(centre))]


def lac_weights(spread, inverse_h):
    """LAC paper, eq. 3.4."""
    raw = [math.exp(-(s - min(spread)) * inverse_h) for s in spread]
    return [value / sum(raw) for value in raw]


def lac(points, k, inverse_h, seed, iterations, guarded=True):
    """LAC paper, section 3, for data that empty no cluster: centres, weights, errors. Unguarded, errors may rise."""
    centres, weights, errors = lac_seeds(points, k, seed), [[1 / len(points[0])] * len(points[0])] * k, []
    for _ in range(iterations):
        before = centres, weights
        labels = lac_partition(points, centres, weights)
        groups = [[x for x, label in zip(points, labels, strict=True) if label == j] for j in range(k)]
        weights = [lac_weights(lac_dispersion(g, c), inverse_h) for g, c in zip(groups, centres, strict=True)]
        labels = lac_partition(points, centres, weights)
        groups = [[x for x, label in zip(points, labels, strict=True) if label == j] for j in range(k)]
        centres = [[sum(column) / len(g) for column in zip(*g, strict=True)] for g in groups]
        error = lac_error(points, labels, inverse_h)
        if guarded and errors and error > errors[-1]:
            return *before, errors
        errors.append(error)
    return centres, weights, errors


def lac_partition(points, centres, weights):
    """LAC paper, eq. 3.1; the lower cluster of equally near ones."""
    rows = [[lac_distance(x, c, w) for c, w in zip(centres, weights, strict=True)] for x in points]
    return [row.index(min(row)) for row in rows]


def lac_posterior(x, centres, weights):
    """LAC paper, eq. 4.6."""
    distances = [lac_distance(x, c, w) for c, w in zip(centres, weights, strict=True)]
    k, largest = len(distances), max(distances)
    return [(largest - d + 1) / (k * largest + k - sum(distances)) for d in distances]


def times_together(labels):
    """How many base clusterings put two objects together: N x N of integers (CSPA's graph; diagonal M)."""
    return np.array([[sum(x == y for x, y in zip(a, b, strict=True)) for b in labels] for a in labels])


def jaccard(labels):
    """Objects in both clusters / objects in either, of every two clusters: K x K."""
    flat = list(itertools.chain(*clusters(labels)))
    return np.array([[len(a & b) / len(a | b) for b in flat] for a in flat])


def meta_cluster_votes(labels, groups):
    """Mean over the clusters of each meta-cluster of "the object lies in it": N x k."""
    flat = list(itertools.chain(*clusters(labels)))
    votes = np.zeros((len(labels), max(groups) + 1))
    for i in range(len(labels)):
        for g in range(votes.shape[1]):
            inside = [i in cluster for cluster, group in zip(flat, groups, strict=True) if group == g]
            votes[i, g] = sum(inside) / len(inside)
    return votes


def two_sided(edges):
    """Adjacency of a bipartite graph, rows first: [[0, B], [B^T, 0]]."""
    n, k = np.shape(edges)
    adjacency = np.zeros((n + k, n + k))
    for i in range(n):
        for c in range(k):
            adjacency[i, n + c] = adjacency[n + c, i] = edges[i][c]
    return adjacency


def mean_cosine(memberships, n_each):
    """LAC paper, eqs. 4.8 and 4.9: Psi, N x N; `n_each` clusters in every base clustering."""
    n, total = len(memberships), np.zeros((len(memberships),) * 2)
    bounds = [0, *itertools.accumulate(n_each)]
    for first, stop in itertools.pairwise(bounds):
        for i in range(n):
            for j in range(n):
                p, q = memberships[i][first:stop], memberships[j][first:stop]
                dot = sum(x * y for x, y in zip(p, q, strict=True))
                total[i, j] += dot / math.sqrt(sum(x * x for x in p) * sum(y * y for y in q))
    return total / len(n_each)


def strongest(matrix, kept):
    """A symmetric matrix without what is among the `kept` highest of neither end; of equals, the lower index."""
    n, out = len(matrix), np.zeros_like(matrix)
    for i in range(n):
        for j in sorted((j for j in range(n) if j != i), key=lambda j: (-matrix[i, j], j))[:kept]:
            out[i, j] = out[j, i] = matrix[i, j]
    return out


def kmeans_run(points, weights, k, uniforms):
    """Greedy k-means++ (Arthur and Vassilvitskii 2007), then Lloyd's iterations until no label changes."""

    def squared(a, b):
        return sum((x - y) ** 2 for x, y in zip(a, b, strict=True))

    def drawn(mass, uniform):
        total, reached = sum(mass), 0.0
        for i, one in enumerate(mass):
            reached += one
            if reached > uniform * total:
                return i
        return len(mass) - 1

    centres = [points[drawn(weights, uniforms[0][0])]]
    for c in range(1, k):
        near = [min(squared(x, centre) for centre in centres) for x in points]
        candidates = [drawn([w * d for w, d in zip(weights, near, strict=True)], u) for u in uniforms[c]]
        costs = [sum(w * min(d, squared(x, points[i])) for w, d, x in zip(weights, near, points, strict=True))
                 for i in candidates]  # fmt: skip
        centres.append(points[candidates[costs.index(min(costs))]])
    labels = None
    while True:
        found = [min(range(k), key=lambda c: (squared(x, centres[c]), c)) for x in points]
        if found == labels:
            return labels
        labels = found
        for c in range(k):
            members = [i for i in range(len(points)) if labels[i] == c]
            if members:
                mass = sum(weights[i] for i in members)
                centres[c] = [sum(weights[i] * points[i][t] for i in members) / mass for t in range(len(points[0]))]


def nmi_max(a, b):
    """I(a; b) / max(H(a), H(b)); 1 for two single clusters, 0 for one of them."""
    information, h_a, h_b = mutual_information(a, b)
    return 1.0 if h_a == h_b == 0 else information / max(h_a, h_b)


def normalized_crowd_agreement(labels):
    """WEAC paper, NCAI: mean NMI with the other base clusterings over the largest such mean; 1 where all are 0."""
    columns = list(zip(*labels, strict=True))
    means = []
    for m, own in enumerate(columns):
        others = [nmi_max(own, other) for t, other in enumerate(columns) if t != m]
        means.append(sum(others) / len(others) if others else 0)
    return np.array([mean / max(means) if max(means) > 1e-12 else 1.0 for mean in means])


def crowd_weighted_co_association(labels, beta):
    """WEAC paper: sum_m w_m [together in m] / sum_m w_m with w = NCAI^beta. N x N."""
    weights = normalized_crowd_agreement(labels) ** beta
    n = len(labels)
    matrix = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            matrix[i, j] = sum(w for w, a, b in zip(weights, labels[i], labels[j], strict=True) if a == b)
    return matrix / sum(weights)


def mean_over_clusters(labels, between, same_base):
    """(1/M) sum_m F(c_i^m, c_j^m), or (1/M^2) sum over all pairs of their clusters. N x N."""
    flat = list(enumerate(itertools.chain(*clusters(labels))))
    base = [m for m, found in enumerate(clusters(labels)) for _ in found]
    n, m_total = len(labels), len(labels[0])
    matrix = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            mine, theirs = ([c for c, group in flat if x in group] for x in (i, j))
            values = [between[a][b] for a in mine for b in theirs if not same_base or base[a] == base[b]]
            matrix[i, j] = sum(values) / (m_total if same_base else m_total**2)
    return matrix


def links_between_clusters(labels):
    """Jaccard index of every two different clusters, 0 on the diagonal; and the base clustering of each. K x K, K."""
    links = jaccard(labels)
    np.fill_diagonal(links, 0)
    return links, [m for m, found in enumerate(clusters(labels)) for _ in found]


def connected_triples(labels, dc):
    """WCT: sum of the smaller of the two links to every third cluster; the largest becomes dc, a cluster itself 1."""
    links, base = links_between_clusters(labels)
    return decayed(lambda i, j: sum(min(links[i][c], links[j][c]) for c in range(len(base))), base, dc)


def triple_quality(labels, dc):
    """WTQ: sum of 1 / (sum of its links) over the clusters that are linked to both."""
    links, base = links_between_clusters(labels)
    return decayed(
        lambda i, j: sum(1 / sum(links[c]) for c in range(len(base)) if links[i][c] > 0 and links[j][c] > 0), base, dc
    )


def decayed(value, base, dc):
    """A similarity of clusters of one base clustering, its largest value dc, 1 on the diagonal, 0 elsewhere. K x K."""
    found = np.zeros((len(base),) * 2)
    for i in range(len(base)):
        for j in range(len(base)):
            if i != j and base[i] == base[j]:
                found[i, j] = value(i, j)
    found *= dc / found.max() if found.max() > 0 else 1
    return found + np.eye(len(base))


def propagated_similarity(labels, length):
    """ECPCS paper: cosines of walks over the links between clusters. K x K."""
    links, _ = links_between_clusters(labels)
    return trajectory_similarity(transition_matrix(links, [1] * len(links)), length)


def source_aware_triples(labels, weights):
    """GP-MGLA paper, SACT: triples through every cluster, the two themselves included, weighted by base. K x K."""
    links, base = links_between_clusters(labels)
    links = links + np.eye(len(base))
    n = len(base)
    found = np.array(
        [[sum(weights[base[c]] * min(links[i][c], links[j][c]) for c in range(n)) for j in range(n)] for i in range(n)]
    )
    found /= found.max()
    np.fill_diagonal(found, 1)
    return found


def gp_mgla_embedding(labels, k, alpha, beta):
    """GP-MGLA paper: objects and clusters beside clusters, one graph, Tcut; the rows of the objects. N x k."""
    weights = normalized_crowd_agreement(labels) ** beta
    between = source_aware_triples(labels, weights)
    _, base = links_between_clusters(labels)
    flat = list(itertools.chain(*clusters(labels)))
    rows = [
        [alpha * weights[m] * (i in group) for group, m in zip(flat, base, strict=True)] for i in range(len(labels))
    ]
    return tcut_embedding(np.vstack([rows, between]), k)[: len(labels)]


def simrank(labels, dc, rounds):
    """SRS: SimRank of objects and of clusters in turns, both from the round before; the start is the first. N x N."""
    flat = list(itertools.chain(*clusters(labels)))
    n, k, m_total = len(labels), len(flat), len(labels[0])
    of = [[c for c, group in enumerate(flat) if i in group] for i in range(n)]
    objects, groups = np.eye(n), np.eye(k)
    for _ in range(rounds - 1):
        next_objects, next_groups = np.eye(n), np.eye(k)
        for x, y in itertools.permutations(range(n), 2):
            next_objects[x, y] = dc / m_total**2 * sum(groups[a, b] for a in of[x] for b in of[y])
        for a, b in itertools.permutations(range(k), 2):
            total = sum(objects[x, y] for x in flat[a] for y in flat[b])
            next_groups[a, b] = dc / (len(flat[a]) * len(flat[b])) * total
        objects, groups = next_objects, next_groups
    return objects


def approximate_simrank(labels, dc, as_published=False):
    """ASRS between clusters: products of links over numbers of neighbours, over the largest; decayed. K x K."""
    links, _ = links_between_clusters(labels)
    k = len(links)
    found = np.zeros((k, k))
    for i, j in itertools.permutations(range(k), 2):
        neighbours = sum(x > 0 for x in links[i]) * sum(x > 0 for x in links[j])
        found[i, j] = sum(links[i][c] * links[j][c] for c in range(k)) / neighbours if neighbours else 0
    found /= found.max() if found.max() > 0 else 1
    kept = np.eye(k) if not as_published else ((found > 1 - 1e-9) | np.eye(k, dtype=bool))
    return np.where(kept, 1, dc * found)


def nearest_profiles(start, ids, counts, sizes, weights):
    """Nearest other group of every group and its similarity, terms by ascending cluster; the lowest of equals."""
    rows = [{ids[t]: counts[t] for t in range(start[a], start[a + 1])} for a in range(len(sizes))]
    found = []
    for a, one in enumerate(rows):
        best = (-1, -1.0)
        for b, other in enumerate(rows):
            if a != b:
                total = 0.0
                for c in sorted(one.keys() & other.keys()):
                    total += float(weights[c]) * float(int(one[c]) * int(other[c]))
                value = total / (float(sizes[a]) * float(sizes[b]))
                best = (b, value) if value > best[1] else best
        found.append(best)
    return found


def replayed(merges, sizes, similarity):
    """For every merge, the mean similarity of the two groups over their objects, and the largest of any two present."""
    n = len(sizes)
    groups = {i: [i] for i in range(n)}

    def mean(a, b):
        pairs = [(i, j) for i in groups[a] for j in groups[b]]
        total = sum(int(sizes[i]) * int(sizes[j]) * similarity[i][j] for i, j in pairs)
        return float(total / sum(int(sizes[i]) * int(sizes[j]) for i, j in pairs))

    for t, (a, b) in enumerate(merges):
        present = sorted(groups)
        best = max(mean(x, y) for x in present for y in present if x < y)
        yield mean(int(a), int(b)), best
        groups[n + t] = groups.pop(int(a)) + groups.pop(int(b))


def link_weights(labels, beta, threshold):
    """exp(-beta (1 - a)) between objects that meet, in a share of the base clusterings at least; 0 elsewhere."""
    together = (labels[:, None, :] == labels[None, :, :]).mean(axis=2)
    weights = np.where((together > 0) & (together >= threshold - 1e-9), np.exp(-beta * (1 - together)), 0)
    np.fill_diagonal(weights, 0)
    return weights


def reachable(links, start):
    """Objects that a chain of links joins with those given."""
    seen = set(start)
    queue = list(start)
    while queue:
        for j in np.flatnonzero(links[queue.pop()]):
            if j not in seen:
                seen.add(j)
                queue.append(j)
    return seen


def seeded_walk(weights, seeds, k):
    """Probability that a walker reaches the seeds of each label first, by a system over all other objects."""
    found = np.zeros((len(seeds), k))
    for i, label in enumerate(seeds):
        if label >= 0:
            found[i, label] = 1
    free = sorted(reachable(weights > 0, list(np.flatnonzero(seeds >= 0))) - set(np.flatnonzero(seeds >= 0)))
    if free:
        laplacian = np.diag(weights.sum(axis=1)) - weights
        found[free] = np.linalg.solve(laplacian[np.ix_(free, free)], weights[free] @ found)
    return found


def srw(labels, k, beta, threshold, t0):
    """Groups of strong pairs, the two with the largest mean weight merged until k are left, walks to them.

    Labels, and whether anything tied on the way.
    """
    tied = False
    n, m = labels.shape
    together = (labels[:, None, :] == labels[None, :, :]).mean(axis=2)
    weights = link_weights(labels, beta, threshold)
    for level in range(max(1, int(np.ceil(t0 * m - 1e-9))), m + 1):
        groups, left = [], set(range(n))
        while left:
            group = reachable(together >= level / m - 1e-9, [min(left)])
            left -= group
            if len(group) > 1:
                groups.append(sorted(group))
        if len(groups) >= k:
            break
    else:
        groups = [list(np.flatnonzero((labels == row).all(axis=1))) for row in np.unique(labels, axis=0)]
    while len(groups) > k:
        pairs = [(weights[np.ix_(a, b)].mean(), i, j) for i, a in enumerate(groups) for j, b in enumerate(groups[:i])]
        best, i, j = max(pairs, key=lambda pair: pair[0])
        tied |= sum(value > best - 1e-9 for value, _, _ in pairs) > 1
        groups[j] = groups[j] + groups[i]
        del groups[i]
    seeds = np.full(n, -1)
    for label, group in enumerate(groups):
        seeds[group] = label
    found = seeded_walk(weights, seeds, k)
    answer = found.argmax(axis=1)
    for i in np.flatnonzero(found.max(axis=1) == 0):
        found[i] = [together[i, group].mean() for group in groups]
        answer[i] = found[i].argmax()
    first, second = np.sort(found, axis=1)[:, ::-1].T[:2]
    return answer, tied or (first - second).min() < 1e-9


def partitions_of(n):
    """Every partition of n things, as labels by first appearance."""
    found = [()]
    for _ in range(n):
        found = [(*labels, label) for labels in found for label in range(max(labels, default=-1) + 2)]
    return found


def quality_of(matrix, sizes, labels, quality, resolution):
    """Weight inside communities less what is expected of each pair of different objects; a node stands for `sizes`."""
    strengths, total, n = matrix.sum(axis=1), matrix.sum(), sizes.sum()
    expected = {
        "modularity": np.outer(strengths, strengths) / total,
        "rb": np.outer(sizes, sizes) * total / (n * (n - 1)),
        "cpm": np.outer(sizes, sizes),
    }[quality]
    same = np.equal.outer(np.asarray(labels), np.asarray(labels))
    return ((matrix - resolution * expected) * same).sum()


def voted_weights(method, labels, linked, knob):
    """Weights of edges by votes as ECG (knob: smallest weight) and FastEnsemble (knob: threshold) have them: (N, N)."""
    n, weights, core = len(labels), np.zeros(linked.shape), np.ones(len(labels), bool)
    for _ in range(n):
        core &= (linked & core).sum(axis=1) >= 2
    for i in range(n):
        for j in range(n):
            both = (labels[i] >= 0) & (labels[j] >= 0)
            votes = (labels[i] == labels[j])[both].mean() if both.any() else 0.0
            if linked[i, j] and method == "ecg":
                weights[i, j] = knob + (1 - knob) * votes if core[i] and core[j] else knob
            elif linked[i, j] and votes >= knob:
                weights[i, j] = votes
    return weights
