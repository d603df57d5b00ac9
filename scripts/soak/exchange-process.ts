/**
 * The exchange of the soak over sockets, in a process of its own: the load of a full market day (`bench/exchange`), and beside
 * it a modelled market whose matches are over within minutes, so that orders fill and bets are settled. Prints its addresses as
 * one line of JSON, and each error of its log to stderr. The line `hold` stops the modelled market for good: from then on the
 * exchange pays nothing. Usage: exchange-process.ts KEY SEED [EVENTS OF THE LOAD]
 */
import { createInterface } from 'node:readline';
import process from 'node:process';
import { systemClock } from '../../src/app/adapters/system-clock.ts';
import { toMicros } from '../../src/domain/money.ts';
import { seededRandom } from '../../src/lib/random.ts';
import { createLogger } from '../../src/ops/logger.ts';
import type { Feed } from '../../src/simulator/core/api.ts';
import { parseBetType } from '../../src/domain/bet-types/index.ts';
import { createExchange } from '../../src/simulator/core/exchange.ts';
import { createModelFeed } from '../../src/simulator/feeds/model/index.ts';
import { startSimulator } from '../../src/simulator/server/start-simulator.ts';
import { LoadFeed } from '../../bench/exchange/market.ts';
import { BALANCE_USDT, MARKET_SPEED } from './settings.ts';

const OPEN_BETSLIPS = 50;

const [key = '', seed = '1', loadEvents] = process.argv.slice(2);
const startMs = systemClock.wallMs();
const model = createModelFeed({ seed: Number(seed), speed: MARKET_SPEED, startWallMs: startMs });
let isHeld = false;

const held: Feed = {
  start: (market, nowMs) => model.start(market, nowMs),
  nextDueMs: () => (isHeld ? null : model.nextDueMs()),
  advance: (market, nowMs) => {
    if (!isHeld) model.advance(market, nowMs);
  },
};

const core = createExchange({
  accounts: [{ accountId: 'soak', keys: [key], balanceMicros: toMicros(BALANCE_USDT) }],
  feeds: [new LoadFeed(loadEvents === undefined ? undefined : Number(loadEvents)), held],
  parseBetType,
  random: seededRandom(Number(seed), `ids since ${startMs}`),
  startMs,
  settings: { openBetslipCap: OPEN_BETSLIPS },
});
const logger = createLogger('error', process.stderr);
const { rest, stream, control } = await startSimulator({ core, clock: systemClock, logger, port: 0 });

const commands = createInterface(process.stdin);
commands.on('line', (line) => {
  if (line !== 'hold') return;
  isHeld = true;
  console.log('held');
});
// The soak has ended.
commands.on('close', () => process.exit(1));
console.log(JSON.stringify({ rest, stream, control }));
