/**
 * A client under load: `receive` drops the bytes, `daemon` decodes them and joins them into selection state. Prints the
 * share of one core that it used, as JSON. Usage: client.ts receive|daemon PORT SECONDS
 */
import { NEVER } from 'rxjs';
import { systemClock } from '../../src/app/adapters/system-clock.ts';
import { Secret } from '../../src/domain/secret.ts';
import { createMarket } from '../../src/market/index.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import { noMetrics } from '../../src/ports/metrics.ts';
import { createVenue, undiciTransport, wsTransport } from '../../src/venue/index.ts';
import { benchRandom } from '../frames.ts';

const [mode, port, seconds] = process.argv.slice(2);
const clock = systemClock;
const sockets = wsTransport({ url: `ws://127.0.0.1:${port}/` });
const seen = { frames: 0 };

function receive(): void {
  const nothing = (): void => undefined;
  const onMessage = (): void => void seen.frames++;
  sockets.open({}, { onOpen: nothing, onRefused: nothing, onClose: nothing, onMessage });
}

function daemon(): void {
  const around = { clock, logger: silentLogger, metrics: noMetrics };
  const http = undiciTransport({ baseUrl: `http://127.0.0.1:${port}/v2/`, clock });
  const apiKey = new Secret('bench');
  const venue = createVenue({
    kind: 'simulated',
    ...around,
    http,
    sockets,
    apiKey,
    random: benchRandom('client'),
  });
  const market = createMarket({ staleAfterMs: 10_000 }, clock, silentLogger, noMetrics);
  const none = { account$: NEVER, sourcePrices$: NEVER };
  market.changes$({ signals$: venue.stream$, ...none }).subscribe((change) => {
    if (change.cause === 'frame') seen.frames++;
  });
}

/** The compilation of code is not measured. */
const WARM_UP_MS = 6_000;

if (mode === 'daemon') daemon();
else receive();
clock.after(WARM_UP_MS, () => {
  const from = process.cpuUsage();
  const fromMs = clock.monotonicMs();
  seen.frames = 0;
  clock.after(Number(seconds) * 1000, () => {
    const { user, system } = process.cpuUsage(from);
    const elapsedMs = clock.monotonicMs() - fromMs;
    console.log(
      JSON.stringify({ share: (user + system) / 1000 / elapsedMs, frames: seen.frames, elapsedMs }),
    );
    process.exit(0);
  });
});
