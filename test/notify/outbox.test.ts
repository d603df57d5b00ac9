import { expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { seededRandom } from '../../src/lib/random.ts';
import type { Message } from '../../src/notify/notice.ts';
import { Outbox, type Outcome } from '../../src/notify/outbox.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import { fakeChannel, MESSAGE } from './support.ts';

const SENT = { kind: 'sent' } as const;
const failed = (retryAfterMs = 0) => ({ kind: 'failed', why: 'no answer', retryAfterMs }) as const;

function outboxOf(answer: Parameters<typeof fakeChannel>[0]) {
  const clock = new VirtualClock();
  const fake = fakeChannel(answer);
  const outcomes: Outcome[] = [];
  const random = seededRandom(1);
  const outbox = new Outbox({
    channel: fake.channel,
    clock,
    random,
    logger: silentLogger,
    onOutcome: (outcome) => void outcomes.push(outcome),
  });
  return { ...fake, clock, outbox, outcomes };
}

const numbered = (number: number): Message => ({ ...MESSAGE, id: String(number) });
const ids = (messages: readonly Message[]): number[] => messages.map(({ id }) => Number(id));

it('delivers in order, and repeats the first until it is taken', async () => {
  const { outbox, attempts, outcomes, clock } = outboxOf((_, attempt) => (attempt < 2 ? failed() : SENT));
  for (const number of [1, 2]) outbox.add(numbered(number));
  await clock.advance(60_000);
  expect(ids(attempts)).toEqual([1, 1, 1, 2]);
  expect(outcomes).toEqual(['sent', 'sent']);
});

it('waits longer after each failure, and never less than the receiver asks', async () => {
  const { outbox, attempts, clock } = outboxOf((_, attempt) => failed(attempt === 0 ? 120_000 : 0));
  outbox.add(MESSAGE);
  await clock.advance(119_000);
  expect(attempts).toHaveLength(1);
  await clock.advance(2_000);
  expect(attempts).toHaveLength(2);
  await clock.advance(600_000);
  expect(attempts.length).toBeLessThan(12);
});

it('does not repeat what the receiver refuses', async () => {
  const { outbox, attempts, outcomes, clock } = outboxOf(({ id }) =>
    id === '1' ? { kind: 'refused', why: '400' } : SENT,
  );
  for (const number of [1, 2]) outbox.add(numbered(number));
  await clock.advance(60_000);
  expect(ids(attempts)).toEqual([1, 2]);
  expect(outcomes).toEqual(['refused', 'sent']);
});

it('gives a message up after an hour', async () => {
  const { outbox, outcomes, clock } = outboxOf(() => failed());
  outbox.add(MESSAGE);
  await clock.advance(3_000_000);
  expect(outcomes).toEqual([]);
  await clock.advance(700_000);
  expect(outcomes).toEqual(['expired']);
});

it('holds at most a hundred, and drops the oldest that is not in flight', async () => {
  const { outbox, attempts, outcomes, clock } = outboxOf(() => null);
  for (let number = 1; number <= 103; number++) outbox.add(numbered(number));
  await clock.advance(0);
  expect(ids(attempts)).toEqual([1]);
  expect(outcomes).toEqual(['dropped', 'dropped', 'dropped']);
});

it('lets what waits leave at the end, and then closes the channel', async () => {
  const { outbox, attempts, isClosed } = outboxOf(() => SENT);
  for (const number of [1, 2, 3]) outbox.add(numbered(number));
  await outbox.close(3_000);
  expect(ids(attempts)).toEqual([1, 2, 3]);
  expect(isClosed()).toBe(true);
  outbox.add(numbered(4));
  expect(attempts).toHaveLength(3);
});

it.each([
  ['a receiver that hangs', (): null => null],
  ['a receiver that fails', () => failed()],
] as const)('ends after its time beside %s', async (_, answer) => {
  const { outbox, outcomes, isClosed, clock } = outboxOf(answer);
  for (const number of [1, 2]) outbox.add(numbered(number));
  const closed = outbox.close(3_000);
  await clock.advance(3_000);
  await closed;
  expect(outcomes).toEqual(['expired', 'expired']);
  expect(isClosed()).toBe(true);
});
