"""Whole games without the GIL: dice, choices, results and the record of the turns; and words of the streams.

The turns themselves are played by a `play_turn` for either side, of the core in use or of a network, in a capsule.

Philox4x64-10 (Salmon et al. 2011), as in numpy.random.Philox: word t of the dice stream of a game is
Philox(key=seed, counter=[0, game, 0, 0]).random_raw(t + 1)[t], of the choice stream with counter [0, game, 1, 0].
"""

from cpython.pycapsule cimport PyCapsule_GetContext, PyCapsule_GetPointer
from libc.stdint cimport int8_t, int32_t, int64_t, uint64_t
from libc.string cimport memset

from narde._core cimport TURN_PLAYER, plan_t, play_turn_t
from narde._streams cimport open_stream, open_stream_at, roll_dice, stream_t, word
from narde._turn cimport OFF, OPPONENT_OFF, W, nd_flip, nd_load, nd_store, points_lost, rules_t


cdef struct result_t:
    int winner              # 0 the starter, 1 the second player, -1 nobody
    int points
    int turns
    bint over               # not ended by the limit of turns


cdef inline bint is_over(const int8_t* row, int turns, const rules_t* rules, result_t* result) noexcept nogil:
    """Whether the game has ended, and how; `row` is the mover's after `turns` turns."""
    cdef int mover = turns & 1
    cdef int8_t loser[28]
    if row[OPPONENT_OFF] == -15:
        if rules.last_roll and mover == 1:
            return False                    # the second player answers the starter's last play
        result.winner = 1 - mover
        if row[OFF] == 15:
            result.winner = -1
            result.points = 0
        else:
            result.points = points_lost(row, rules)
        return True
    if row[OFF] == 15:                      # the answer to the last play did not bear off all
        nd_store(loser, nd_flip(nd_load(row), rules.short_))
        result.winner = mover
        result.points = points_lost(loser, rules)
        return True
    return False


cdef struct record_t:       # where the turns of a game are written; NULL: not at all
    int8_t* positions
    int8_t* dice
    int8_t* chosen
    float* values


cdef inline void write_turn(record_t* record, int turn, const int8_t* row, const int8_t* dice,
                            const int8_t* after, float value) noexcept nogil:
    if record.positions != NULL:
        nd_store(record.positions + W * turn, nd_load(row))
    if record.dice != NULL:
        record.dice[2 * turn] = dice[0]
        record.dice[2 * turn + 1] = dice[1]
    if record.chosen != NULL:
        nd_store(record.chosen + W * turn, nd_load(after))
    if record.values != NULL:
        record.values[turn] = value


cdef struct player_t:
    play_turn_t play_turn
    const void* context


cdef player_t player_of(capsule):
    """The player that a core or a network hands over; the capsule must outlive it."""
    cdef player_t player
    player.play_turn = <play_turn_t>PyCapsule_GetPointer(capsule, TURN_PLAYER)
    player.context = PyCapsule_GetContext(capsule)
    return player


cdef result_t play_game(const player_t* players, const int8_t* start, const rules_t* rules, const uint64_t* key,
                        uint64_t game, int max_turns, plan_t* plan, record_t* record) noexcept nogil:
    """One game from the starting row: the starter's player and the second one's."""
    cdef int8_t rows[2][28]
    cdef int8_t dice[2]
    cdef stream_t rolls, choices
    cdef result_t result
    cdef int turn = 0
    cdef float value = 0
    result.winner = -1
    result.points = 0
    result.over = False
    nd_store(rows[0], nd_load(start))
    open_stream(&rolls, key, game, 0)
    open_stream(&choices, key, game, 1)
    while turn < max_turns:
        roll_dice(word(&rolls, turn), turn == 0 and not rules.reroll_opening, dice)
        players[turn & 1].play_turn(players[turn & 1].context, rows[turn & 1], dice, rules, word(&choices, turn), plan,
                                    rows[1 - (turn & 1)], &value)
        write_turn(record, turn, rows[turn & 1], dice, rows[1 - (turn & 1)], value)
        turn += 1
        result.over = is_over(rows[turn & 1], turn, rules, &result)
        if result.over:
            break
    result.turns = turn
    return result


def play_games(starter, second, const int8_t[::1] start, const rules_t[::1] rules, const uint64_t[::1] key, int64_t first,
               int max_turns, int8_t[::1] winner, int8_t[::1] points, int32_t[::1] lengths):
    """Play the games first, first + 1, ... by two turn players and fill the columns of their results."""
    cdef player_t[2] players = [player_of(starter), player_of(second)]
    cdef int64_t g
    cdef plan_t plan
    cdef result_t result
    cdef record_t record
    memset(&record, 0, sizeof(record))
    with nogil:
        for g in range(winner.shape[0]):
            result = play_game(players, &start[0], &rules[0], &key[0], <uint64_t>(first + g), max_turns, &plan,
                               &record)
            winner[g] = <int8_t>result.winner
            points[g] = <int8_t>result.points
            lengths[g] = result.turns


def record_games(starter, second, const int8_t[::1] start, const rules_t[::1] rules, const uint64_t[::1] key, int64_t first,
                 int max_turns, int8_t[::1] winner, int8_t[::1] points, int32_t[::1] lengths, int64_t room,
                 int8_t[:, ::1] positions, int8_t[:, ::1] dice, int8_t[:, ::1] chosen, float[::1] values):
    """The same with the turns one after another in those columns that have rows, `room` each; returns how many games
    found room, of which alone the results count."""
    cdef player_t[2] players = [player_of(starter), player_of(second)]
    cdef int64_t used = 0, g = 0
    cdef int limit
    cdef plan_t plan
    cdef result_t result
    cdef record_t record
    with nogil:
        while g < winner.shape[0] and used < room:
            limit = <int>min(<int64_t>max_turns, room - used)
            record.positions = &positions[used, 0] if positions.shape[0] else NULL
            record.dice = &dice[used, 0] if dice.shape[0] else NULL
            record.chosen = &chosen[used, 0] if chosen.shape[0] else NULL
            record.values = &values[used] if values.shape[0] else NULL
            result = play_game(players, &start[0], &rules[0], &key[0], <uint64_t>(first + g), limit, &plan, &record)
            if not result.over and limit < max_turns:
                break
            winner[g] = <int8_t>result.winner
            points[g] = <int8_t>result.points
            lengths[g] = result.turns
            used += result.turns
            g += 1
    return g


def fill_words(const uint64_t[::1] key, uint64_t stream, const int64_t[::1] games, const int64_t[::1] turns,
               uint64_t[::1] out):
    """Fill out[i] with word turns[i] of the stream of games[i]."""
    cdef int64_t i
    cdef stream_t s
    with nogil:
        for i in range(out.shape[0]):
            open_stream_at(&s, &key[0], <uint64_t>games[i], stream, <uint64_t>turns[i] >> 2)
            out[i] = s.words[turns[i] & 3]


def fill_four_turns(const uint64_t[::1] key, uint64_t stream, const int64_t[::1] games, uint64_t block,
                    uint64_t[:, ::1] out):
    """Fill out (N, 4) with the words 4 * block to 4 * block + 3 of the stream of each game, which are made together."""
    cdef int64_t i
    cdef int k
    cdef stream_t s
    with nogil:
        for i in range(out.shape[0]):
            open_stream_at(&s, &key[0], <uint64_t>games[i], stream, block)
            for k in range(4):
                out[i, k] = s.words[k]


def fill_dice(const uint64_t[::1] words, bint different, int8_t[:, ::1] dice):
    """Fill dice (N, 2) with those that the words stand for."""
    cdef int64_t i
    with nogil:
        for i in range(dice.shape[0]):
            roll_dice(words[i], different, &dice[i, 0])
