import { expect, it } from 'vitest';
import { conditionsReader } from '../../../src/app/notify/conditions-of.ts';
import type { Status } from '../../../src/read-model/status.ts';

/** The parts of a status that the notifications read. */
const STATUS = {
  state: 'quoting',
  stopping: null,
  heartbeatRemainingS: 30,
  oldestUnknownOrderS: null,
  quoting: { notQuotingS: null },
  limits: [],
  previousRun: null,
  ordersPlaced: 4,
  ordersRefused: 1,
  fills: 2,
  stakeMatched: 10,
  profitLoss: 0.5,
  strategies: [
    { name: 'mine', errors: { throws: 2, 'bad-price': 1 }, lastError: { kind: 'throws', message: 'no mid' } },
  ],
};

function reading() {
  const state = { status: STATUS as object, killed: null as string | null, journalFailed: false };
  const read = conditionsReader(() => ({ ...state, status: state.status as Status }));
  return { state, read };
}

it('reads the state of a run', () => {
  const { state, read } = reading();
  expect(read()).toEqual({
    hasStarted: true,
    ordersLeftByCrash: 0,
    killed: null,
    journalFailed: false,
    heartbeatLost: false,
    oldestUnknownOrderS: null,
    notQuotingS: null,
    limits: [],
    conventionContradicted: null,
    strategies: [{ name: 'mine', errors: 3, last: 'throws: no mid' }],
    totals: { ordersPlaced: 4, ordersRefused: 1, fills: 2, stakeMatched: 10, profit: 0.5 },
  });
  const limits = [{ name: 'loss.dayUsdt', use: 1, limit: 2 }];
  const more = { oldestUnknownOrderS: 61, quoting: { notQuotingS: 300 }, limits };
  state.status = { ...STATUS, ...more, previousRun: { how: 'not clean', ordersLeft: 3 } };
  expect(read()).toMatchObject({ oldestUnknownOrderS: 61, notQuotingS: 300, limits, ordersLeftByCrash: 3 });
  state.status = { ...STATUS, previousRun: { how: 'clean', ordersLeft: 3 } };
  expect(read()).toMatchObject({ ordersLeftByCrash: 0 });
});

it('finds a heartbeat lost only if there was one, and no kill let go of it', () => {
  const { state, read } = reading();
  state.status = { ...STATUS, heartbeatRemainingS: null };
  expect(read()).toMatchObject({ heartbeatLost: false });
  state.status = STATUS;
  expect(read()).toMatchObject({ heartbeatLost: false });
  state.status = { ...STATUS, heartbeatRemainingS: null };
  expect(read()).toMatchObject({ heartbeatLost: true });
  state.status = { ...STATUS, state: 'starting', heartbeatRemainingS: null };
  expect(read()).toMatchObject({ hasStarted: false });
  state.killed = 'by hand';
  expect(read()).toMatchObject({ heartbeatLost: false });
});

it('judges nothing while the run stops', () => {
  const { state, read } = reading();
  state.status = { ...STATUS, stopping: 'SIGTERM' };
  expect(read()).toBeNull();
});
