"""The heap gives its items in order, and drops what lies beyond its cap."""

from kubectl_fairshare.schedulers.kai.session.heap import Heap


def test_items_come_out_in_order() -> None:
    heap: Heap[int] = Heap(lambda a, b: a < b)
    for item in (5, 1, 4, 2, 3):
        heap.push(item)
    assert [heap.pop() for _ in range(5)] == [1, 2, 3, 4, 5]


def test_beyond_the_cap_the_item_in_its_place_goes_and_not_the_last_in_order() -> None:
    heap: Heap[int] = Heap(lambda a, b: a < b, 2)
    for item in (1, 9, 5):
        heap.push(item)
    assert heap.items == [1, 9]


def test_an_item_that_changed_is_moved_to_where_it_belongs() -> None:
    rank = {"a": 1, "b": 2, "c": 3}
    heap: Heap[str] = Heap(lambda a, b: rank[a] < rank[b])
    for item in "abc":
        heap.push(item)
    rank["a"] = 9
    heap.settle_first()
    assert [heap.pop() for _ in range(3)] == ["b", "c", "a"]
