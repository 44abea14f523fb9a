"""One method under many settings: what sharing must not change."""

import pytest

from engine import Ensemble, InvalidParameterError, consensus_methods, generators, run_consensus
from engine.consensus.running import run_settings
from engine.params import Choice, Number
from tests.engine.studies.examples import blobs


@pytest.mark.parametrize("key", sorted(consensus_methods()))
def test_settings_together_are_the_settings_alone(key):
    method = consensus_methods()[key]
    if method.unavailable:
        pytest.skip(method.unavailable)
    features, _ = blobs(4)
    made = generators.lac_ensemble(features, 3, [0.5, 2, 9, 40, 100], seed=2)
    if "memberships" not in method.needs:
        made = generators.kmeans_ensemble(features, 8, seed=2)
    if "graph" in method.needs:
        made = generators.leiden_ensemble(features, 5, seed=2)
    settings = [method.params()]
    for spec in method.params.specs():
        if isinstance(spec.kind, Number) and spec.kind.slider and spec.name != "max_iter":
            settings += [method.params.of({spec.name: value}) for value in spec.kind.slider]
        choices = spec.kind.choices if isinstance(spec.kind, Choice) else ()
        settings += [method.params.of({spec.name: value}) for value in choices if value != "published-code"]
    for outcome in run_settings(key, made, settings, [3, 2], seed=5):
        alone = run_consensus(key, made, outcome.n_clusters, settings[outcome.setting], seed=5)
        assert (outcome.labels == alone.labels).all()
        assert outcome.seconds >= 0


def test_a_toss_falls_alike_for_all_settings():
    method, crossed = consensus_methods()["lwea"], Ensemble.from_labels([[i // 6, i % 6] for i in range(36)])
    settings = [method.params.of({"theta": value}) for value in (0.2, 0.4)]
    for seed in range(6):
        for outcome in run_settings("lwea", crossed, settings, [2], seed=seed):
            alone = run_consensus("lwea", crossed, 2, settings[outcome.setting], seed=seed)
            assert (outcome.labels == alone.labels).all()


def test_a_sweep_shares_the_walk(monkeypatch):
    from engine.methods.pta import PTAParams
    from engine.walks import walk_panels

    made = generators.kmeans_ensemble(blobs(1, 200)[0], 10, seed=1)
    steps = []
    step = walk_panels.GramPanels.step
    monkeypatch.setattr(walk_panels.GramPanels, "step", lambda self, monitor: (steps.append(1), step(self, monitor)))
    settings = [PTAParams(K=4, T=T) for T in range(1, 6)]
    assert len(list(run_settings("pta", made, settings, [2, 3]))) == 10
    assert len(steps) <= 5


def test_an_error_of_one_setting_leaves_the_others():
    made = Ensemble.from_labels([[0, 0], [0, 1], [1, 1], [1, 2]])
    found = list(run_settings("lwea", made, [consensus_methods()["lwea"].params()], [9, 2, 3]))
    assert [one.labels is None for one in found] == [True, False, False]
    assert "InvalidParameterError: n_clusters must be at most 4" in found[0].error


def test_a_run_is_cut_into_other_numbers_of_clusters():
    made = generators.kmeans_ensemble(blobs(3, 60)[0], 8, seed=2)
    run = run_consensus("lwea", made, 2, {"theta": 0.2}, seed=4)
    for k in (3, 7):
        again, alone = run.at(k), run_consensus("lwea", made, k, {"theta": 0.2}, seed=4)
        assert (again.labels == alone.labels).all()
        assert again.n_clusters == k
        assert again.trace["dendrogram"] is run.trace["dendrogram"]
        assert not again.labels.flags.writeable
    assert run.n_clusters == 2
    with pytest.raises(InvalidParameterError, match="n_clusters must be"):
        run.at(10_000)
    with pytest.raises(InvalidParameterError, match="cspa grows no tree that could be cut. Run it for 3"):
        run_consensus("cspa", made, 2).at(3)
