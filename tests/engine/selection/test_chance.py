"""The cloud of chance and the number that is enough, against runs written out."""

from itertools import combinations

import numpy as np
import pytest

from engine import Cancelled, Ensemble, InvalidParameterError, Monitor, run_consensus
from engine.metrics import ari, nmi
from engine.selection import Chance, Enough, chance, enough, select
from engine.selection.judging import Judge
from tests.engine.selection.test_selecting import twelve

TRUTH = np.repeat([0, 1, 2], 4)


def test_every_draw_is_the_score_of_some_choice_and_all_choices_come():
    made = twelve(1, m=5)
    every = [
        nmi(run_consensus("eac", made.select(list(two)), 3).labels, TRUTH)
        for two in combinations(range(5), 2)
        if len(made.select(list(two)).microclusters) >= 3
    ]
    cloud = chance(made, "eac", 2, 3, draws=200, truth=TRUTH)
    assert {round(value, 9) for value in every} <= {round(value, 9) for value in cloud.values}
    assert cloud.value([0, 3]) == pytest.approx(nmi(run_consensus("eac", made.select([0, 3]), 3).labels, TRUTH))
    assert cloud.title == "NMI (max)"


def test_stability_is_the_mean_agreement_of_halves():
    made = twelve(2, m=4)
    judge = Judge(made, "eac", 3)
    halves = [({a, b}, set(range(4)) - {a, b}) for a, b in combinations(range(4), 2)]
    each = {
        frozenset(one): ari(*(judge.labels(np.array(sorted(half))) for half in (one, other))) for one, other in halves
    }
    mean = np.mean(list(each.values()))
    assert judge.value(range(4), splits=600) == pytest.approx(mean, abs=0.05)
    assert judge.value(range(4), splits=1) in [pytest.approx(value) for value in each.values()]


def test_percentile_counts_equal_draws_half_and_says_where_it_is():
    cloud = Chance(np.array([0.1, 0.2, 0.2, 0.4]), 3, 9, "NMI (max)", None)
    assert [cloud.percentile(value) for value in (0.0, 0.2, 0.3, 0.5)] == [0, 50, 75, 100]
    assert cloud.sentence(0.2) == (
        "NMI (max) 0.200 is above 25 % and equal to 50 % of 4 random choices of 3 of 9 base clusterings: "
        "too few to tell from chance."
    )
    cloud = Chance(np.repeat([0.1, 0.2, 0.2, 0.4], 15), 3, 9, "NMI (max)", None)
    assert [cloud.inside(value) for value in (0.0, 0.1, 0.2, 0.4, 0.5)] == [False, True, True, True, False]
    assert cloud.sentence(0.2).endswith(
        "random choices of 3 of 9 base clusterings: inside the cloud, as much can come by chance."
    )
    assert cloud.sentence(0.5) == (
        "NMI (max) 0.500 is above 100 % of 60 random choices of 3 of 9 base clusterings: "
        "outside the cloud, more than chance gives."
    )
    assert "less than chance" in cloud.sentence(0.0)


@pytest.mark.parametrize("draws", [1, 5, 18, 19, 60, 99])
def test_a_further_random_choice_is_outside_at_most_once_in_ten(draws):
    """However few are drawn: the chance of every order of them is the same."""
    outside = [
        not Chance(np.delete(np.arange(draws + 1.0), place), 2, 9, "ARI", None).inside(float(place))
        for place in range(draws + 1)
    ]
    assert np.mean(outside) <= 0.1
    assert np.mean(outside) == pytest.approx(0.1, abs=2 / (draws + 1)) or draws < 19


@pytest.mark.parametrize("truth", [None, TRUTH])
def test_order_of_columns_and_rows_decides_nothing(truth):
    made = twelve(6)
    rng = np.random.default_rng(1)
    columns, rows = rng.permutation(9), rng.permutation(12)
    other = Ensemble.from_labels(made.labels[:, columns][rows])
    there = None if truth is None else truth[rows]
    assert made.form.n_symmetric == 0
    clouds = chance(made, "eac", 4, 3, 8, truth), chance(other, "eac", 4, 3, 8, there)
    assert clouds[0].values == pytest.approx(clouds[1].values)
    found = enough(made, "eac", 3, repeats=4, truth=truth), enough(other, "eac", 3, repeats=4, truth=there)
    assert found[0].values == pytest.approx(found[1].values)


@pytest.mark.parametrize("seed", [13, 16, 27])
def test_halves_that_have_mirror_images_hang_on_no_order_of_rows(seed):
    rng = np.random.default_rng(seed)
    groups = rng.integers(0, 3, 20)
    labels = np.column_stack([np.where(rng.random(20) < 0.3, rng.integers(0, 4, 20), groups) for _ in range(8)])
    rows, columns = rng.permutation(20), rng.permutation(8)
    one, other = Ensemble.from_labels(labels), Ensemble.from_labels(labels[rows][:, columns])
    assert not one.form.n_symmetric  # a half of one base clustering has some
    values = [chance(made, "lwea", 3, 2, draws=6).values for made in (one, other)]
    assert values[0] == pytest.approx(values[1])


def test_a_choice_with_fewer_clusters_than_k_is_cut_into_as_many():
    labels = np.stack([np.arange(16) % 4, np.arange(16) // 4, np.arange(16) % 4, np.arange(16) // 4], axis=1)
    made = Ensemble.from_labels(labels)
    assert len(made.select([0, 1]).microclusters) == 16
    labels = Judge(made, "lwgp", 12).labels(np.array([0, 1]))
    assert labels.max() + 1 <= 8
    assert np.isfinite(chance(made, "lwgp", 2, 12, draws=4, truth=np.arange(16) // 4).values).all()


def test_a_choice_is_places_or_one_answer_a_base_clustering():
    cloud = chance(twelve(1, m=8), "eac", 3, 3, draws=4, truth=TRUTH)
    assert cloud.value(np.arange(8) > 4) == cloud.value([5, 6, 7]) != cloud.value([0, 1, 2])
    with pytest.raises(InvalidParameterError, match="places of base clusterings"):
        cloud.value([5.5, 6.0, 7.0])
    with pytest.raises(InvalidParameterError, match="must hold 3 base clusterings, as the random ones do. Got 4"):
        cloud.value([1, 2, 3, 4])


@pytest.mark.long
@pytest.mark.parametrize("truth", [None, TRUTH])
def test_missing_labels_two_base_clusterings_and_equal_ones(truth):
    assert np.isfinite(chance(twelve(3, missing=0.3), "eac", 3, 3, 5, truth).values).all()
    assert np.isfinite(enough(twelve(3, missing=0.3), "eac", 3, repeats=3, truth=truth).values).all()
    two = twelve(4, m=2)
    cloud = chance(two, "eac", 2, 3, 5, truth)
    assert cloud.inside(cloud.value([0, 1]))
    assert "nothing to leave out" in enough(two, "eac", 3, truth=truth).sentence
    same = Ensemble.from_labels(np.tile(TRUTH, (6, 1)).T)
    assert chance(same, "eac", 3, 3, 5, truth).values.tolist() == [1.0] * 5
    assert enough(same, "eac", 3, truth=truth).flat_from == 2


def test_sizes_run_from_two_to_all():
    found = enough(twelve(5), "eac", 3, repeats=3, truth=TRUTH)
    assert found.sizes.tolist() == list(range(2, 10))
    assert np.ptp(found.values[-1]) == 0
    many = Ensemble.from_labels(np.tile(TRUTH, (100, 1)).T)
    sizes = enough(many, "eac", 3, repeats=1).sizes
    assert (len(sizes), sizes[0], sizes[-1]) == (12, 2, 100)
    assert enough(many, "eac", 3, sizes=[5, 20], repeats=1).sizes.tolist() == [5, 20, 100]


def test_sizes_that_a_method_has_no_answer_to_are_left_out():
    made = twelve(3, m=8)  # DREC joins microclusters that share a cluster: of a single base clustering none do
    with pytest.raises(InvalidParameterError, match="DREC needs two microclusters that share a cluster"):
        run_consensus("drec", made.select([0]), 2)
    found = enough(made, "drec", 2, repeats=4)
    assert found.sizes[0] > 2
    assert found.sizes[-1] == made.n_clusterings
    assert found.values.shape == (len(found.sizes), 4)
    assert np.isfinite(found.values).all()
    assert found.unanswered == tuple(range(2, int(found.sizes[0])))
    unanswered = enough(made, "drec", 2, [2], 4)
    assert (
        unanswered.sentence
        == "With 8 base clusterings there is nothing to leave out: the method has no answer to fewer."
    )
    assert enough(made, "drec", 2, [], 1).sentence == "With 8 base clusterings there is nothing to leave out."


def test_flat_is_where_the_whole_band_stays():
    values = np.array([[0.1, 0.8], [0.5, 0.505], [0.3, 0.5], [0.5, 0.505], [0.502, 0.502]])
    found = Enough(np.array([2, 4, 6, 8, 9]), values, "ARI")
    assert found.flat_from == 8
    assert found.median[0] == pytest.approx(0.45)
    assert found.band[:, 0] == pytest.approx([0.17, 0.73])
    assert "from 8 on" in found.sentence
    rough = Enough(found.sizes[:3], np.array([[0.2, 0.8], [0.5, 0.9], [0.5, 0.5]]), "ARI")
    assert rough.flat_from is None
    assert "not flat before all 6; of 4, four fifths lie between 0.540 and 0.860" in rough.sentence


def test_a_cancel_is_heard_and_progress_runs_to_the_end():
    class Heard(Monitor):
        shares = []

        def tick(self, stage, done, total):
            self.shares.append(done / total)
            if len(self.shares) > 40:
                raise Cancelled

    with pytest.raises(Cancelled):
        chance(twelve(), "eac", 4, 3, 60, monitor=Heard())
    assert Heard.shares == sorted(Heard.shares)


def test_refusals_name_what_was_asked():
    made = twelve()
    with pytest.raises(InvalidParameterError, match="number must be an integer from 2 to 9. Got 1"):
        chance(made, "eac", 1, 3)
    with pytest.raises(InvalidParameterError, match="measure must be one of nmi_max.*Got 'vi'"):
        chance(made, "eac", 3, 3, score="vi")
    with pytest.raises(InvalidParameterError, match="truth must have one class for each of 12 objects"):
        enough(made, "eac", 3, truth=[0, 1])
    with pytest.raises(InvalidParameterError, match="at least 2 base clusterings to choose from"):
        enough(made.select([0]), "eac", 3)
    with pytest.raises(InvalidParameterError, match="at least 2 of the 9 base clusterings"):
        chance(made, "eac", 3, 3, 2).value([4])
    for k in (None, 1):
        with pytest.raises(InvalidParameterError, match="n_clusters must be an integer of at least 2"):
            chance(made, "eac", 3, k)
    for seed in (-1, 2.5, "a", None, True):
        for ask in (
            lambda seed: chance(made, "eac", 3, 3, 2, seed=seed),
            lambda seed: enough(made, "eac", 3, repeats=2, seed=seed),
        ):
            with pytest.raises(InvalidParameterError, match=f"seed must be an integer of at least 0. Got {seed!r}"):
                ask(seed)
    for judged in (
        lambda truth: chance(made, "eac", 3, 3, truth=truth),
        lambda truth: enough(made, "eac", 3, truth=truth),
    ):
        with pytest.raises(InvalidParameterError, match="every object needs a label"):
            judged(np.ma.masked_equal(TRUTH, 1))


def test_a_strategy_is_placed_in_the_cloud():
    made = twelve(7)
    cloud = chance(made, "eac", 4, 3, 20, TRUTH)
    assert 0 <= cloud.percentile(cloud.value(select(made, "snmi", 4))) <= 100
