import type { Channel, Delivery } from '../../src/notify/channel.ts';
import type { Conditions } from '../../src/notify/conditions.ts';
import type { Message } from '../../src/notify/notice.ts';

/** The state of a run that has started and has no trouble. */
export const CALM: Conditions = {
  hasStarted: true,
  ordersLeftByCrash: 0,
  killed: null,
  journalFailed: false,
  oldestUnknownOrderS: null,
  notQuotingS: null,
  heartbeatLost: false,
  limits: [],
  strategies: [],
  totals: { ordersPlaced: 0, ordersRefused: 0, fills: 0, stakeMatched: 0, profit: 0 },
};

export const MESSAGE: Message = {
  id: '0197a5c2-7b1d-7e3f-9a4b-5c6d7e8f9a0b',
  atMs: 1_767_225_600_000,
  suppressed: {},
  kind: 'killed',
  severity: 'page',
  phase: 'begin',
  title: 'Killed',
  text: 'Everything is stopped.',
  run: { runId: '7-0a1b2c3d', version: '0.1.0', mode: 'live', exchange: 'exchange.example' },
};

/** A channel whose answers the test gives. Without an answer it hangs. */
export function fakeChannel(answer: (message: Message, attempt: number) => Delivery | null) {
  const attempts: Message[] = [];
  let closed = false;
  const channel: Channel = {
    name: 'fake',
    deliver(message) {
      attempts.push(message);
      const delivery = answer(message, attempts.length - 1);
      return delivery === null ? new Promise(() => undefined) : Promise.resolve(delivery);
    },
    close: () => Promise.resolve(void (closed = true)),
  };
  return { channel, attempts, isClosed: () => closed };
}
