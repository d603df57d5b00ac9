/**
 * Records a run of the daemon on the embedded exchange turn by turn, with a lost stream, a kill and a resume. Then decides
 * everything again from the recorded turns alone:
 *
 *     npm run replay [-- --minutes 30] [--seed 1]
 *
 * Two changes follow. A changed byte of one input must be reported at its turn. Changed prices of a private quote, with
 * the turn's checksum computed again, must give another decision. Exits 1 when a decision differs or a change is missed.
 */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { eventKey } from '../src/domain/events.ts';
import { recordIn } from '../src/engine/turn-record.ts';
import {
  decideAgain,
  recordDay,
  type RecordedDay,
  withByte,
  withPrice,
} from '../test/support/recorded-day.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '30' }, seed: { type: 'string', default: '1' } },
});

/** Reads a number above 0. Ends the process with exit code 2 for anything else. */
function positive(name: 'minutes' | 'seed'): number {
  const value = Number(values[name]);
  if (Number.isFinite(value) && value > 0) return value;
  console.error(`--${name}: ${values[name]} is not a number above 0`);
  return process.exit(2);
}

const minutes = positive('minutes');
const seed = positive('seed');
const day = await recordDay(seed, minutes * 60);
console.log(
  `recorded ${minutes} minutes: ${day.lines.length} turns, ${day.fills} fills, ${day.reconnects} reconnects, ${day.kills} kill`,
);

/** Whether the recorded turns give the same decisions. */
async function sameDecisions({ config, lines }: RecordedDay): Promise<boolean> {
  const { turns, decisions, changed, differences } = await decideAgain({ config, lines });
  console.log(`decided ${turns} turns again: ${decisions} decisions, ${differences.length} differ`);
  for (const { seq, event, recorded, now } of differences)
    console.log(`  turn ${seq}, ${event}: ${JSON.stringify(recorded)}, now ${JSON.stringify(now)}`);
  return changed === null && differences.length === 0 && turns === day.lines.length;
}

/** Whether a changed byte is reported at its turn. */
async function byteIsFound({ config, lines }: RecordedDay): Promise<boolean> {
  const at = Math.floor(lines.length / 2);
  const changed = await decideAgain({ config, lines: lines.with(at, withByte(lines[at] as string)) });
  const { seq } = recordIn(lines[at] as string).turn;
  console.log(`one byte of turn ${seq} changed: reported at turn ${changed.changed}`);
  return changed.changed === seq;
}

/** Whether another price gives another decision. */
async function priceIsFound({ config, lines }: RecordedDay): Promise<boolean> {
  const changed = withPrice(lines);
  const { differences } = await decideAgain({ config, lines: changed.lines });
  const [first] = differences;
  console.log(
    `one price of turn ${changed.seq} changed, ${eventKey(changed.event)}: decision differs at turn ${first?.seq ?? 'none'}, ${first?.event ?? ''}`,
  );
  return first?.seq === changed.seq && first.event === eventKey(changed.event);
}

const results = [await sameDecisions(day), await byteIsFound(day), await priceIsFound(day)];
process.exitCode = results.every(Boolean) ? 0 : 1;
