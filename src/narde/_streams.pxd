# The random words of games, and dice made of them, inlined into each module that rolls.
#
# Philox4x64-10 (Salmon et al. 2011), as in numpy.random.Philox: word t of a stream of a game is
# Philox(key=seed, counter=[0, game, stream, 0]).random_raw(t + 1)[t]; stream 0 has the dice, stream 1 the choices.

from libc.stdint cimport int8_t, uint64_t

from narde._turn cimport nd_below, nd_mulhi


cdef struct stream_t:
    uint64_t key[2]
    uint64_t game
    uint64_t stream
    uint64_t block          # the words in hand are 4 * block .. 4 * block + 3
    uint64_t words[4]


cdef inline void philox(stream_t* s) noexcept nogil:
    """Fill the four words of the block."""
    cdef uint64_t c0 = s.block + 1, c1 = s.game, c2 = s.stream, c3 = 0, k0 = s.key[0], k1 = s.key[1]
    cdef uint64_t high0, low0, high1, low1
    for _ in range(10):
        high0 = nd_mulhi(<uint64_t>0xD2E7470EE14C6C93, c0, &low0)
        high1 = nd_mulhi(<uint64_t>0xCA5A826395121157, c2, &low1)
        c0 = high1 ^ c1 ^ k0
        c1 = low1
        c2 = high0 ^ c3 ^ k1
        c3 = low0
        k0 += <uint64_t>0x9E3779B97F4A7C15
        k1 += <uint64_t>0xBB67AE8584CAA73B
    s.words[0] = c0
    s.words[1] = c1
    s.words[2] = c2
    s.words[3] = c3


cdef inline void open_stream_at(stream_t* s, const uint64_t* key, uint64_t game, uint64_t stream,
                                uint64_t block) noexcept nogil:
    s.key[0] = key[0]
    s.key[1] = key[1]
    s.game = game
    s.stream = stream
    s.block = block
    philox(s)


cdef inline void open_stream(stream_t* s, const uint64_t* key, uint64_t game, uint64_t stream) noexcept nogil:
    open_stream_at(s, key, game, stream, 0)


cdef inline uint64_t word(stream_t* s, uint64_t turn) noexcept nogil:
    """Word `turn` of the stream; turns are asked in order."""
    if turn >> 2 != s.block:
        s.block = turn >> 2
        philox(s)
    return s.words[turn & 3]


cdef inline void roll_dice(uint64_t word, bint different, int8_t* dice) noexcept nogil:
    """Two dice, or the opening contest's two different dice."""
    cdef int r
    if different:
        r = <int>nd_below(word, 30)
        dice[0] = <int8_t>(r // 5 + 1)
        dice[1] = <int8_t>(r % 5 + 1)
        dice[1] += dice[1] >= dice[0]
    else:
        r = <int>nd_below(word, 36)
        dice[0] = <int8_t>(r // 6 + 1)
        dice[1] = <int8_t>(r % 6 + 1)
