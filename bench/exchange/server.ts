/**
 * The served exchange under load, in a process of its own. Prints the stream's address. Then prints a line for each line
 * of input: CPU time, elapsed time and memory since the last, or, on `retained`, the heap after a collection.
 */
import { createInterface } from 'node:readline';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { systemClock } from '../../src/app/adapters/system-clock.ts';
import { seededRandom } from '../../src/lib/random.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import { parseBetType } from '../../src/domain/bet-types/index.ts';
import { createExchange } from '../../src/simulator/core/exchange.ts';
import { startSimulator } from '../../src/simulator/server/start-simulator.ts';
import { LoadFeed } from './market.ts';

const core = createExchange({
  accounts: [1, 2, 3].map((i) => ({ accountId: `a${i}`, keys: [`key-${i}`], balanceMicros: 0 })),
  feeds: [new LoadFeed()],
  parseBetType,
  random: seededRandom(1),
  startMs: systemClock.wallMs(),
});
const simulator = await startSimulator({ core, clock: systemClock, logger: silentLogger, port: 0 });
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
let cpu = process.cpuUsage();
let fromMs = systemClock.monotonicMs();

createInterface(process.stdin).on('line', (line) => {
  if (line === 'retained') return console.log(JSON.stringify(retained()));
  const { user, system } = process.cpuUsage(cpu);
  const elapsedMs = systemClock.monotonicMs() - fromMs;
  const { rss } = process.memoryUsage();
  const share = (user + system) / 1000 / elapsedMs;
  console.log(JSON.stringify({ share, elapsedMs, rss, delayP99Ms: delay.percentile(99) / 1e6 }));
  cpu = process.cpuUsage();
  fromMs = systemClock.monotonicMs();
  delay.reset();
});
/** Heap in use after a collection, in bytes. */
function retained(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

console.log(simulator.stream);
