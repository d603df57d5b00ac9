import { describe, expect, it } from 'vitest';
import type { WhyAnswer } from '../../src/app/operate/operate.ts';
import { renderRisk, renderWhy } from '../../src/cli/output/operate-view.ts';
import { adminServing } from '../support/admin-serving.ts';
import { commanded } from '../support/run-command.ts';

const WHY: WhyAnswer = {
  selectionId: 'fb|2026-01-31,1,2|h',
  wanted: [
    { direction: 'for', price: 2.1, stakeUsdt: 10 },
    { direction: 'against', price: 2.2, stakeUsdt: 9, reason: 'mid \u001b[31mand half' },
  ],
  reason: { for: 'risk.stake', against: null },
  verdicts: [
    { stage: 'risk', direction: 'against', code: 'stake', message: 'of the other side' },
    { stage: 'risk', direction: 'for', code: 'stake', message: 'stake 10 above 5' },
  ],
  state: 'active',
  alarms: [],
};

const RISK: Parameters<typeof renderRisk>[0] = {
  limits: [{ name: 'loss.dayUsdt', use: 12.5, limit: 50, unit: 'usdt' }],
  openOrders: 2,
  remaining: [{ what: 'account halted by al: lunch', release: 'touchline resume --reason TEXT' }],
  alarms: [{ guard: 'stale_data', why: 'no price for 40 s' }],
  refusals: { order_stake: 3 },
  blocked: { 'state.halted': 1, 'risk.order_stake': 7 },
  exposure: {
    account: { worstCaseUsdt: -12.5, grossUsdt: 40, openUsdt: 20 },
    scopes: [
      { kind: 'sport', name: 'fb', worstCaseUsdt: -12.5, grossUsdt: 40 },
      { kind: 'account', name: 'account', worstCaseUsdt: -12.5, grossUsdt: 40 },
    ],
    events: [{ sport: 'fb', eventId: '2026-01-31,1,2', worstCaseUsdt: -12.5, grossUsdt: 40 }],
  },
};

describe('touchline why', () => {
  it('shows each side in one row, and the message of what stops that side', () => {
    expect(renderWhy([WHY])).toEqual([
      'selection            side     wanted         stopped by  because',
      'fb|2026-01-31,1,2|h  for      10.00 at 2.10  risk.stake  stake 10 above 5',
      expect.stringMatching(
        /^fb\|2026-01-31,1,2\|h {2}against {2}9\.00 at 2\.20 {3}nothing {5}mid .*and half$/,
      ),
    ]);
    expect(renderWhy([WHY]).join()).not.toContain('\u001b');
  });

  it('shows names, and ids on request', () => {
    const named = { ...WHY, event: 'Northgate v Harbour', name: 'Northgate' };
    expect(renderWhy([named])[1]).toMatch(/^Northgate v Harbour: Northgate {2}for/);
    expect(renderWhy([named]).join()).not.toContain('2026-01-31');
    expect(renderWhy([named], true)[1]).toMatch(
      /^Northgate v Harbour: Northgate {2}fb\|2026-01-31,1,2\|h {2}for/,
    );
  });

  it('says so when nothing is chosen', () => {
    expect(renderWhy([])).toEqual(['no selection is chosen: touchline why SELECTION tells why not']);
  });

  it('prints the whole answer as JSON on request', async () => {
    const daemon = await adminServing({ why: () => [WHY] });
    try {
      const [code, stdout] = await commanded('why', '--json', '--url', daemon.url);
      expect([code, JSON.parse(stdout)]).toEqual([0, [WHY]]);
      expect((await commanded('why', '--url', daemon.url))[1]).toContain('stake 10 above 5');
    } finally {
      await daemon.close();
    }
  });
});

describe('touchline risk', () => {
  it('counts the sides that are not quoted, and how often risk held a quote back, by reason', () => {
    const text = renderRisk(RISK).join('\n');
    expect(text).toMatch(/^why a side is not quoted now +sides\nrisk\.order_stake +7\nstate\.halted +1$/m);
    expect(text).toMatch(/^why risk held a quote back in this run +times\norder_stake +3$/m);
  });

  it('shows the names of events, and ids on request', () => {
    const [event] = RISK.exposure.events;
    const events = [{ ...event!, name: 'Northgate v Harbour' }];
    const named = { ...RISK, exposure: { ...RISK.exposure, events } };
    expect(renderRisk(named).join('\n')).toMatch(/^event Northgate v Harbour +-12\.50/m);
    expect(renderRisk(named, true).join('\n')).toMatch(
      /^event Northgate v Harbour \(fb\/2026-01-31,1,2\) +-12\.50/m,
    );
  });

  it('shows first what stops trading, then exposure, then the most frequent reasons', () => {
    const lines = renderRisk(RISK);
    expect(lines.slice(0, 3)).toEqual([
      'STOPPED: account halted by al: lunch; to release: touchline resume --reason TEXT',
      'guard stale_data: no price for 40 s',
      'open orders 2, stake 20.00',
    ]);
    expect(lines).toContain('loss.dayUsdt  12.50  50.00       25');
    expect(lines.filter((line) => line.startsWith('account'))).toHaveLength(1);
    expect(lines).toContain('event fb/2026-01-31,1,2  -12.50      40.00');
    expect(lines.findIndex((line) => line.startsWith('risk.order_stake'))).toBeLessThan(
      lines.findIndex((line) => line.startsWith('state.halted')),
    );
  });

  it('says so when nothing stops trading', () => {
    expect(renderRisk({ ...RISK, remaining: [], alarms: [], openOrders: null }).slice(0, 2)).toEqual([
      'nothing stops trading',
      'open orders not known, stake 20.00',
    ]);
  });
});

describe('touchline pause', () => {
  it('tells the daemon why, and how to go on', async () => {
    const asked: string[] = [];
    const daemon = await adminServing({
      pause: (reason) => (asked.push(reason), { binding: 'halted', by: 'al', why: reason }),
    });
    try {
      const [code, stdout] = await commanded('pause', '--url', daemon.url);
      expect([code, asked]).toEqual([0, ['no reason given']]);
      expect(stdout).toBe(
        'paused: halted by al: no reason given; touchline resume --reason TEXT quotes again\n',
      );
    } finally {
      await daemon.close();
    }
  });
});
