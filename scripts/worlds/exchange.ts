/**
 * The exchange of one world, in a process of its own. It prints its addresses as a line of JSON, and writes what both daemons are
 * to quote to a file, if one is named.
 *
 * Usage: node --import scripts/worlds/hurry.ts scripts/worlds/exchange.ts CHOICE [FILE]
 */
import { appendFileSync } from 'node:fs';
import process from 'node:process';
import { systemClock } from '../../src/app/adapters/system-clock.ts';
import { wsTransport } from '../../src/venue/index.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import { startSimulator } from '../../src/simulator/server/start-simulator.ts';
import { openWorld, tellQuotes, type WorldChoice } from './world.ts';

const [text = '', quotesFile] = process.argv.slice(2);
const choice = JSON.parse(text) as WorldChoice;
const world = await openWorld(choice);
const { rest, stream, control } = await startSimulator({
  core: world.core,
  clock: systemClock,
  logger: silentLogger,
  port: 0,
});
if (quotesFile !== undefined)
  tellQuotes(
    world,
    { sockets: wsTransport({ url: stream }), clock: systemClock, halfSpread: choice.halfSpread },
    (rows) => appendFileSync(quotesFile, `${JSON.stringify(rows)}\n`),
  );
console.log(JSON.stringify({ rest, stream, control }));
process.once('SIGTERM', () => process.exit(0));
