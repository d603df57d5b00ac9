/**
 * A tape whose images are changes of levels. An image clears a selection and then repeats its levels, so a level that is repeated
 * would lose the queue that orders hold in it. Here each level that an image does not repeat becomes 0 at the place of the clear,
 * and every other level keeps its queue. Both engines of a backtest read tapes in this form.
 */
import { LADDER } from '../domain/ladder.ts';
import { UpdateColumns } from './columns.ts';
import { type EventTape, OP, type Updates } from './tape.ts';

/** Whether the updates contain no clear: then they are in this form already. */
export function isExplicit({ length, op }: Updates): boolean {
  for (let at = 0; at < length; at++) if (op[at] === OP.clear) return false;
  return true;
}

/** The same updates without `OP.clear`. Returns the given ones if they have none. */
export function explicitLevels(updates: Updates): Updates {
  if (isExplicit(updates)) return updates;
  const columns = new UpdateColumns();
  const held = new Map<number, Float64Array>();
  for (let at = 0; at < updates.length; at++) {
    const op = updates.op[at] as number;
    if (op === OP.clear) pushGone(columns, updates, at, held);
    else {
      if (op === OP.restingFor || op === OP.restingAgainst) {
        levelsOf(held, updates.of[at] as number)[placeOf(op, updates.tick[at] as number)] = updates.micros[
          at
        ] as number;
      }
      columns.push(
        updates.atMs[at] as number,
        op,
        updates.of[at] as number,
        updates.tick[at] as number,
        updates.micros[at] as number,
      );
    }
  }
  return columns.updates();
}

const explicit = new WeakMap<EventTape, EventTape>();

/** The same tape without `OP.clear`: the same one each time, so that what is computed of it is shared. */
export function explicitTape(tape: EventTape): EventTape {
  const known = explicit.get(tape);
  if (known !== undefined) return known;
  const made = isExplicit(tape.updates) ? tape : { ...tape, updates: explicitLevels(tape.updates) };
  explicit.set(tape, made);
  return made;
}

const TICKS = LADDER.length;

/** The place of a level: the ticks of resting `for`, then of resting `against`. */
const placeOf = (op: number, tick: number): number => (op === OP.restingFor ? 0 : TICKS) + tick;

function levelsOf(held: Map<number, Float64Array>, selection: number): Float64Array {
  const levels = held.get(selection) ?? new Float64Array(2 * TICKS);
  held.set(selection, levels);
  return levels;
}

/** Adds a change to 0 for each level that the image after the clear does not repeat. */
function pushGone(
  columns: UpdateColumns,
  updates: Updates,
  at: number,
  held: Map<number, Float64Array>,
): void {
  const selection = updates.of[at] as number;
  const levels = levelsOf(held, selection);
  const repeated = repeatedAfter(updates, at);
  for (let place = 0; place < levels.length; place++) {
    if (levels[place] === 0 || repeated.has(place)) continue;
    levels[place] = 0;
    const op = place < TICKS ? OP.restingFor : OP.restingAgainst;
    columns.push(updates.atMs[at] as number, op, selection, place % TICKS, 0);
  }
}

/** The levels of the selection that its updates at the same instant set. */
function repeatedAfter(updates: Updates, clear: number): Set<number> {
  const repeated = new Set<number>();
  for (let at = clear + 1; at < updates.length && updates.atMs[at] === updates.atMs[clear]; at++) {
    const op = updates.op[at] as number;
    if (updates.of[at] !== updates.of[clear]) continue;
    if (op === OP.restingFor || op === OP.restingAgainst)
      repeated.add(placeOf(op, updates.tick[at] as number));
  }
  return repeated;
}
