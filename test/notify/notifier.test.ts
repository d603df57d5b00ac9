import { expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { seededRandom } from '../../src/lib/random.ts';
import { Notifier } from '../../src/notify/notifier.ts';
import { createPrometheusMetrics } from '../../src/ops/metrics.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import { CALM, fakeChannel, MESSAGE } from './support.ts';

function notifierWith(...channels: ReturnType<typeof fakeChannel>['channel'][]) {
  const clock = new VirtualClock();
  const metrics = createPrometheusMetrics({ processMetrics: false });
  let [next, reads] = [0, 0];
  const state = { now: CALM };
  const notifier = new Notifier({
    channels,
    run: MESSAGE.run,
    clock,
    metrics,
    logger: silentLogger,
    random: seededRandom(1),
    limits: { perKind: 1, inTotal: 10 },
    dailySummary: false,
    dayOf: () => 'today',
    ids: { uuid: () => `id ${next++}` },
  });
  notifier.watch(() => (reads++, state.now));
  return { notifier, clock, metrics, state, reads: () => reads };
}

it('sends each notice to every channel, and counts the results', async () => {
  const [good, bad] = [
    fakeChannel(() => ({ kind: 'sent' })),
    fakeChannel(() => ({ kind: 'refused', why: '403' })),
  ];
  const { notifier, clock, metrics } = notifierWith(good.channel, { ...bad.channel, name: 'other' });
  expect((await metrics.expose()).text).toMatch(
    /^touchline_notifications_total\{channel="fake",result="sent"\} 0$/m,
  );
  await clock.advance(1_000);
  await notifier.close({ text: 'SIGTERM', isFailure: false }, 1_000);
  expect(good.attempts.map(({ kind, id }) => [kind, id])).toEqual([
    ['started', 'id 0'],
    ['stopped', 'id 1'],
  ]);
  const { text } = await metrics.expose();
  expect(text).toMatch(/^touchline_notifications_total\{channel="fake",result="sent"\} 2$/m);
  expect(text).toMatch(/^touchline_notifications_total\{channel="other",result="refused"\} 2$/m);
});

it('tells with the next message what was held back', async () => {
  const { channel, attempts } = fakeChannel(() => ({ kind: 'sent' }));
  const { clock, state } = notifierWith(channel);
  await clock.advance(1_000);
  for (const killed of ['first', null, 'second', null]) {
    state.now = { ...CALM, killed };
    await clock.advance(1_000);
  }
  state.now = { ...CALM, journalFailed: true };
  await clock.advance(1_000);
  expect(attempts.map(({ kind, phase, suppressed }) => [kind, phase, suppressed])).toEqual([
    ['started', 'event', {}],
    ['killed', 'begin', {}],
    ['killed', 'end', {}],
    ['journal_failed', 'begin', { killed: 1 }],
  ]);
});

it('goes on looking while a receiver hangs', async () => {
  const { channel } = fakeChannel(() => null);
  const { clock, reads } = notifierWith(channel);
  await clock.advance(60_000);
  expect(reads()).toBe(60);
});

it('does not look at all without a channel', async () => {
  const { clock, reads } = notifierWith();
  await clock.advance(10_000);
  expect(reads()).toBe(0);
});
