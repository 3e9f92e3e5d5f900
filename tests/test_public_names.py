import jeopardice


def test_the_public_names_are_the_ones_that_can_be_imported():
    for name in jeopardice.__all__:
        assert getattr(jeopardice, name) is not None
    assert set(jeopardice.__all__) <= set(dir(jeopardice))


def test_the_contract_is_kept():
    """The names other people's scripts rely on."""
    contract = {"Pig", "TenThousand", "Play", "Turn", "Race", "solve", "load"}
    assert contract <= set(jeopardice.__all__)
