"""Links by weight and how many are right, beside Table 1 of PTA/PTGP: `python -m bench.bench_link_table`."""

import numpy as np

from bench.harness import arguments, pool, publish, table
from engine.evidence import co_association, link_quality
from engine.generators import draw

#: Table 1 of huang2016pta, MNIST, M = 10: weight, share of the links, share of them that are correct (percent).
PRINTED = {
    1.0: (2, 83),
    0.9: (2, 73),
    0.8: (2, 65),
    0.7: (3, 58),
    0.6: (3, 50),
    0.5: (4, 43),
    0.4: (6, 35),
    0.3: (9, 27),
    0.2: (18, 18),
    0.1: (51, 9),
}
DRAWS = 20


def main() -> None:
    chosen = arguments()
    members, truth = pool("pools/pta/MNIST")
    weights = np.arange(1, 11) / 10
    shares, correct = [], []
    for seed in range(DRAWS):
        ensemble = draw(members, 10, seed)
        found = link_quality(co_association(ensemble), ensemble.microclusters, truth, weights)
        shares.append(100 * found.pairs / found.pairs.sum())
        correct.append(100 * found.correct / found.pairs)
    rows = []
    for place in range(9, -1, -1):
        share, right = np.array(shares)[:, place], np.array(correct)[:, place]
        printed = PRINTED[round(float(weights[place]), 1)]
        rows.append(
            [
                f"{weights[place]:.1f}",
                f"{printed[0]} %",
                f"{share.mean():.1f} % (sd {share.std():.1f})",
                f"{printed[1]} %",
                f"{right.mean():.1f} % (sd {right.std():.1f})",
            ]
        )
    header = ["weight", "links, printed", "links, ours", "correct, printed", "correct, ours"]
    words = (
        f"# Links by weight\n\nPool pta/MNIST, N = {len(members):,}, M = 10; mean and sd over {DRAWS} draws. "
        "Printed: huang2016pta, Table 1, one ensemble.\n\n"
    )
    publish(words + table(header, rows), chosen.out)


if __name__ == "__main__":
    main()
