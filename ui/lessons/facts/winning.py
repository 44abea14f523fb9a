"""Whether a lead is one: many ensembles, best k, copies, the order of the rows, data without clusters."""

from ui.lessons.facts.vocabulary import fact
from ui.pictures import trials
from ui.scene import Scene


@fact("score", "method", "draws")
def mean_score(scene: Scene, method: str, draws: int) -> float:
    """Mean agreement of a method with the truth over so many ensembles."""
    return float(trials.scores(scene, method, draws).mean())


@fact("score", "method", "draws")
def sd_score(scene: Scene, method: str, draws: int) -> float:
    """Standard deviation of that agreement."""
    return float(trials.scores(scene, method, draws).std())


@fact("score", "method")
def best_k_score(scene: Scene, method: str = "") -> float:
    """Agreement of a method with the truth at whichever k from 2 to 20 agrees most."""
    return trials.best_over_k(scene, method)[0]


@fact("score", "method", "draws")
def mean_best_k_score(scene: Scene, method: str, draws: int) -> float:
    """Mean of that over so many ensembles, each at its own best k."""
    return float(trials.best_k_scores(scene, method, draws).mean())


@fact("count", "method")
def best_k(scene: Scene, method: str = "") -> float:
    """That k."""
    return float(trials.best_over_k(scene, method)[1])


@fact("score", "copies", "draws")
def copies_lead(scene: Scene, copies: int, draws: int) -> float:
    """Lead of the best over the worst of several copies of one method, each with ensembles of its own."""
    means = trials.copies(scene, copies, draws).mean(axis=1)
    return float(means.max() - means.min())


@fact("score")
def rows_sorted(scene: Scene) -> float:
    """Agreement of a toy that smooths along the rows of the file, sorted by class."""
    return scene.score(trials.toy(scene, shuffled=False))


@fact("score")
def rows_shuffled(scene: Scene) -> float:
    """Agreement of the same toy with the rows shuffled."""
    return scene.score(trials.toy(scene, shuffled=True))


@fact("value")
def structure_p(scene: Scene) -> float:
    """How often data without clusters look as structured as these: the p of the test of structure."""
    return scene.structure_of_data.p


@fact("value")
def twin_structure_p(scene: Scene) -> float:
    """The same for a twin of the data without clusters."""
    return scene.structure_of_twin.p
