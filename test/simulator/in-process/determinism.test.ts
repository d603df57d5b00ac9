import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { toMicros } from '../../../src/domain/money.ts';
import { seededRandom } from '../../../src/lib/random.ts';
import { parseBetType } from '../../../src/domain/bet-types/index.ts';
import { createExchange } from '../../../src/simulator/core/exchange.ts';
import { faultsSchema } from '../../../src/simulator/faults/schema.ts';
import { createModelFeed } from '../../../src/simulator/feeds/model/index.ts';
import { uniformLatency } from '../../../src/simulator/in-process/delay-line.ts';
import { inProcessTransports } from '../../../src/simulator/in-process/transports.ts';
import { patient } from '../../support/patience.ts';

const START_MS = Date.parse('2026-03-01T12:00:00Z');

const FAULTS = [
  { target: 'rest', fault: 'answer_delayed', delay_ms: 300, probability: 0.3 },
  { target: 'rest', fault: 'reset_after', probability: 0.1 },
  { target: 'stream.offer', fault: 'late_entry', delay_ms: 700, probability: 0.05 },
  { target: 'stream.*', fault: 'duplicate', probability: 0.02 },
  { at: 20, target: 'stream', fault: 'junk_frame', every_s: 7 },
];

/** Everything that a client of a modelled market with faults sees in 40 seconds, as one hash. */
async function session(seed: number): Promise<{ hash: string; messages: number; answers: number }> {
  const clock = new VirtualClock(START_MS);
  const core = createExchange({
    accounts: [{ accountId: 'a', keys: ['k'], balanceMicros: toMicros(1_000) }],
    feeds: [createModelFeed({ seed, speed: 1, startWallMs: START_MS })],
    parseBetType,
    random: seededRandom(seed, 'ids'),
    startMs: START_MS,
  });
  const latency = uniformLatency(seededRandom(seed, 'latency'), 1, 40);
  const faults = faultsSchema.parse(FAULTS);
  const { http, sockets } = inProcessTransports({ core, clock, latency, faults, faultSeed: seed });
  const trace = createHash('sha256');
  const seen = { messages: 0, answers: 0 };
  const note = (what: string): void => void trace.update(`${clock.monotonicMs()} ${what}\n`);
  const socket = sockets.open(
    { api_key: 'k' },
    {
      onOpen: () => note('open'),
      onMessage: (data) => {
        seen.messages++;
        const text = Buffer.from(data).toString();
        note(text);
        for (const [, sport, eventId] of text.matchAll(
          /\["event",\{[^}]*"sport":"(\w+)","event_id":"([^"]+)"/g,
        )) {
          socket.send(JSON.stringify(['register_event', sport, eventId]));
        }
      },
      onRefused: (status) => note(`refused ${status}`),
      onClose: (code) => note(`close ${code}`),
    },
  );
  for (let second = 0; second < 40; second++) {
    http
      .send({
        method: 'GET',
        path: '/v2/events/',
        headers: { 'x-api-key': 'k' },
        body: null,
        timeoutMs: 5_000,
      })
      .then(
        ({ body }) => (seen.answers++, note(body)),
        (error: unknown) => note(String(error)),
      );
    await clock.advance(1_000);
  }
  return { hash: trace.digest('hex'), ...seen };
}

it(
  'shows the same client the same bytes at the same instants, faults and all',
  async () => {
    const [first, again, other] = [await session(5), await session(5), await session(6)];
    expect(first).toEqual(again);
    expect(first.hash).not.toBe(other.hash);
    expect(first.messages).toBeGreaterThan(20);
    expect(first.answers).toBeGreaterThan(20);
  },
  patient(60_000),
);
