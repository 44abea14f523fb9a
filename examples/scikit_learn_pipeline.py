"""A pipeline of scikit-learn: scale, cluster by consensus, search for a parameter, place new objects.

Run it at the top of the checkout: `python -m examples.scikit_learn_pipeline`.

The search needs no classes: `mean_margin` scores how firmly objects sit in their clusters.
"""

from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from engine import metrics
from engine.confidence import mean_margin
from engine.estimators import EnsembleClustering


def main() -> None:
    """Fit on three quarters of wine for several theta, and predict the rest with the firmest."""
    X, y = load_wine(return_X_y=True)
    known, new, y_known, y_new = train_test_split(X, y, random_state=0, stratify=y)
    fits = []
    for theta in (0.1, 0.4, 1.6):
        clustering = EnsembleClustering("lwea", n_clusters=3, params={"theta": theta}, random_state=0)
        pipeline = make_pipeline(StandardScaler(), clustering).fit(known)
        made = pipeline[-1]
        margin = mean_margin(made.ensemble_, made.labels_)
        fits.append((margin, pipeline))
        print(f"theta = {theta}: mean margin {margin:.3f}, NMI {metrics.nmi(made.labels_, y_known):.3f}")
    firmest = max(fits, key=lambda fit: fit[0])[1]
    print(f"{len(new)} new objects: NMI {metrics.nmi(firmest.predict(new), y_new):.3f}")


if __name__ == "__main__":
    main()
