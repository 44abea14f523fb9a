"""What loops cannot tell the compiler: sums over a sparse row that stay in registers, and a square turned in them.

Both are written in vectors of 64 bytes; where registers are shorter, the compiler takes several for one. A product is
added with one rounding where the processor can do that, and products are added in the order of the entries.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import DTypeLike, NDArray

#: Columns of a panel: a row's sums stay in registers, and the rows that neighbours read near the processor. With 64 the
#: similarities of trajectories take longer, with 128 their diagonal alone does.
WIDTH = 96
#: Bytes of a vector.
VECTOR = 64
_JOINED = ("contract",)
_INT, _LONG = ir.IntType(32), ir.IntType(64)


def zero_panels(shape: tuple[int, ...], dtype: DTypeLike) -> NDArray:
    """Zeros whose first entry is where a vector may be, as every row's then is."""
    size, itemsize = math.prod(shape), np.dtype(dtype).itemsize
    room = np.zeros(size + VECTOR // itemsize, dtype)
    skipped = -room.ctypes.data % VECTOR // itemsize
    return room[skipped : skipped + size].reshape(shape)


def _compiled(typed: Callable[..., Any]) -> Any:
    """Numba's `intrinsic`, whose functions are called without the context they are written with."""
    return intrinsic(typed)


@_compiled
def add_rows(typing_context, columns, weights, begin, end, panel, out, o):
    """Row o of `out` = the sum of the panel's rows columns[begin:end], by their weights.

    `columns` are integers, the others of one float type; `panel` and `out` are contiguous, of WIDTH columns.
    """
    signature = types.void(columns, weights, types.intp, types.intp, panel, out, types.intp)

    def code(context, builder, signature, arguments):
        _add_rows(context, builder, signature, arguments)
        return context.get_dummy_value()

    return signature, code


@_compiled
def add_squared_rows(typing_context, columns, weights, begin, end, panel, out, o, squares):
    """`add_rows`, and the squares of the sums added to `squares`: (WIDTH,) of the panel's type, from `zero_panels`."""
    signature = types.void(columns, weights, types.intp, types.intp, panel, out, types.intp, squares)

    def code(context, builder, signature, arguments):
        sums, places, vector = _add_rows(context, builder, signature, arguments)
        totals = _data(context, builder, signature, arguments, 7)
        for total, place in zip(sums, places, strict=True):
            square = builder.fmul(total, total, flags=_JOINED)
            added = builder.fadd(_load(builder, totals, _LONG(0), place, vector), square, flags=_JOINED)
            builder.store(added, _at(builder, totals, _LONG(0), place, vector), align=VECTOR // vector.count)
        return context.get_dummy_value()

    return signature, code


def _add_rows(context, builder, signature, arguments):
    """The code of `add_rows`: what it leaves in registers, at which columns, in vectors of which type."""
    ids, shares, begin, end = (_data(context, builder, signature, arguments, i) for i in (0, 1, 2, 3))
    rows, target, o = (_data(context, builder, signature, arguments, i) for i in (4, 5, 6))
    vector = _vector(signature.args[4])
    places = [_LONG(place) for place in range(0, WIDTH, vector.count)]
    before, loop, after = builder.block, builder.append_basic_block(), builder.append_basic_block()
    builder.cbranch(builder.icmp_signed("<", begin, end), loop, after)

    builder.position_at_end(loop)
    entry, sums = builder.phi(_LONG), [builder.phi(vector) for _ in places]
    row = builder.zext(builder.load(builder.gep(ids, [entry])), _LONG)
    share = builder.insert_element(vector(ir.Undefined), builder.load(builder.gep(shares, [entry])), _INT(0))
    share = builder.shuffle_vector(share, share, ir.VectorType(_INT, vector.count)(None))
    added = []
    for total, place in zip(sums, places, strict=True):
        product = builder.fmul(share, _load(builder, rows, row, place, vector), flags=_JOINED)
        added.append(builder.fadd(total, product, flags=_JOINED))
    following = builder.add(entry, _LONG(1))
    builder.cbranch(builder.icmp_signed("<", following, end), loop, after)

    builder.position_at_end(after)
    found = [builder.phi(vector) for _ in places]
    for phi, later in zip([entry, *sums, *found], [following, *added, *added], strict=True):
        phi.add_incoming(begin if phi is entry else vector(None), before)
        phi.add_incoming(later, loop)
    for total, place in zip(found, places, strict=True):
        builder.store(total, _at(builder, target, o, place, vector), align=VECTOR // vector.count)
    return found, places, vector


@_compiled
def turn_square(typing_context, rows, i, j, out, o, place):
    """Rows i, i + 1, ... of `rows`, from column j on, become columns `place`, `place` + 1, ... of `out`, from row o on.

    As many as VECTOR bytes hold, rows and columns alike. Both arrays are contiguous, of WIDTH columns and one type;
    `out` is from `zero_panels`, and written past the caches, for nobody reads it before they have seen much else.
    """
    signature = types.void(rows, types.intp, types.intp, out, types.intp, types.intp)

    def code(context, builder, signature, arguments):
        source, i, j, target, o, place = (_data(context, builder, signature, arguments, which) for which in range(6))
        vector = _vector(rows)
        n = vector.count
        lines = [_load(builder, source, builder.add(i, _LONG(row)), j, vector) for row in range(n)]
        masks = [
            ir.VectorType(_INT, n)([side * n // 2 + lane // 2 + lane % 2 * n for lane in range(n)]) for side in range(2)
        ]
        for _ in range(n.bit_length() - 1):  # rows i and i + n / 2 are interleaved: log2(n) times turn the square
            pairs = list(zip(lines[: n // 2], lines[n // 2 :], strict=True))
            lines = [builder.shuffle_vector(*pair, mask) for pair in pairs for mask in masks]
        for row, line in enumerate(lines):
            stored = builder.store(line, _at(builder, target, builder.add(o, _LONG(row)), place, vector), align=VECTOR)
            stored.set_metadata("nontemporal", builder.module.add_metadata([_INT(1)]))
        return context.get_dummy_value()

    return signature, code


def _data(context, builder, signature, arguments, which):
    """An argument's value; of an array, where its entries begin."""
    kind, value = signature.args[which], arguments[which]
    return context.make_array(kind)(context, builder, value).data if isinstance(kind, types.Array) else value


def _vector(array):
    """Entries of an array as they are taken at once."""
    scalar = ir.FloatType() if array.dtype == types.float32 else ir.DoubleType()
    return ir.VectorType(scalar, VECTOR * 8 // array.dtype.bitwidth)


def _load(builder, data, row, place, vector):
    return builder.load(_at(builder, data, row, place, vector), align=VECTOR // vector.count)


def _at(builder, data, row, place, vector):
    """Where a vector of an array of WIDTH columns is."""
    entry = builder.gep(data, [builder.add(builder.mul(row, _LONG(WIDTH)), place)])
    return builder.bitcast(entry, vector.as_pointer())
