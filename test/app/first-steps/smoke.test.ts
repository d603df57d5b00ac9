import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { smoke, type SmokeStep } from '../../../src/app/first-steps/smoke.ts';
import { randomIds } from '../../../src/app/adapters/this-machine.ts';
import { SUBJECT_KEY } from '../../contract/venue-subject.ts';
import { exchangeOverSockets, type ExchangeOverSockets } from '../../support/exchange-over-sockets.ts';
import { hurriedClock } from '../../support/hurried-clock.ts';
import { commanded } from '../../support/run-command.ts';

let rig: ExchangeOverSockets;
beforeEach(async () => {
  rig = await exchangeOverSockets();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rig.stop();
});

const fault = (body: object) =>
  fetch(`${rig.simulator.control}faults`, { method: 'POST', body: JSON.stringify(body) });

async function orders(): Promise<readonly { closed: boolean; stake: number; price: number }[]> {
  const answer = await fetch(`${rig.simulator.control}orders`);
  return ((await answer.json()) as { data: { closed: boolean; stake: number; price: number }[] }).data;
}

async function steps(): Promise<readonly SmokeStep[]> {
  const done: SmokeStep[] = [];
  const options = { maxLossMicros: 2_000_000, sports: [], clock: hurriedClock(), ids: randomIds };
  for await (const step of smoke(rig.exchange, options)) done.push(step);
  return done;
}

describe('the first order', () => {
  it('rests far from the market, is seen, is closed, and changes no money', async () => {
    const done = await steps();
    expect(done.map(({ step }) => step)).toEqual(['balance', 'market', 'betslip', 'order', 'close', 'money']);
    expect(done.at(-1)?.found).toBe('10000.00 USDT, of which 0.00 USDT at stake: the same to the cent');
    expect(await orders()).toMatchObject([{ closed: true, stake: 2, price: 6.8 }]);
  });

  it.each([
    ['answer_lost', { target: 'orders.create', fault: 'reset_after' }, /^order: .*; order \d+ is closed$/],
    ['request_lost', { target: 'orders.create', fault: 'reset' }, /^order: .*; there is no order$/],
    [
      'silent',
      { target: 'stream.order', fault: 'missing' },
      /^order: stream: the order did not come within 20 s; order \d+ is closed$/,
    ],
  ])('leaves nothing open when it fails: %s', async (_, planted, message) => {
    await fault(planted);
    await expect(steps()).rejects.toMatchObject({
      code: 'smoke',
      message: expect.stringMatching(message) as string,
    });
    expect((await orders()).filter(({ closed }) => !closed)).toEqual([]);
  });
});

describe('touchline smoke', () => {
  const at = (): readonly string[] =>
    [`exchange.restUrl=${rig.simulator.rest}`, `exchange.streamUrl=${rig.simulator.stream}`].flatMap(
      (each) => ['--set', each],
    );

  it('prints a line a step', async () => {
    vi.stubEnv('TOUCHLINE_API_KEY', SUBJECT_KEY);
    const [code, stdout] = await commanded('smoke', '--max-loss', '2', ...at());
    expect([code, stdout.trim().split('\n')]).toEqual([
      0,
      Array(6).fill(expect.stringMatching(/^ok {3}\w+ .* ms\)$/)),
    ]);
  });

  it('is refused above the configured stake', async () => {
    vi.stubEnv('TOUCHLINE_API_KEY', SUBJECT_KEY);
    const [code] = await commanded('smoke', '--max-loss', '501', ...at());
    expect([code, await orders()]).toEqual([2, []]);
  });
});
