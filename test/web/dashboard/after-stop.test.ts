import { describe, expect, it } from 'vitest';
import { type LiveTrading, PIECES } from '../../../src/read-model/live/message.ts';
import { afterMessage, type Shown as Page, shownAt } from '../../../src/web/dashboard/stream/view.ts';
import {
  closedInWords,
  heldInWords,
  nextInWords,
  stopOf,
} from '../../../src/web/dashboard/workspace/after-stop-words.ts';
import { SCENE_AT_MS, SCENES } from '../../support/dashboard-scenes.ts';
import { liveEvent } from '../../support/live-event.ts';
import { componentsIn, pressedPage } from '../../support/pressed-page.ts';
import { aProfit } from '../../support/status.ts';

const { AfterStop } = await componentsIn('workspace/after-stop.tsx');

describe('after a stop', () => {
  it.each<[string, LiveTrading['state'], number | null]>([
    ['kill', 'killed', null],
    ['kill', 'killed', 1_000],
    ['pause', 'halted', 1_000],
    ['CLOSE ALL', 'active', 0],
    ['CLOSE ALL', 'reducing', 59_999],
  ])('it is told of the %s while the account is %s, %j ms after CLOSE ALL', (stop, state, closedMs) => {
    expect(stopOf({ state }, closedMs)).toBe(stop);
  });

  it('nothing is told of trading that goes on, also a minute after CLOSE ALL', () => {
    expect([stopOf({ state: 'active' }, null), stopOf({ state: 'active' }, 60_000)]).toEqual([null, null]);
  });

  it('it is told whether every order is closed', () => {
    expect(closedInWords('kill', { ordersOpen: 0, openStake: 0 })).toBe('Every order: none is open.');
    expect(closedInWords('pause', { ordersOpen: 3, openStake: 60 })).toBe(
      'Not all yet: 3 open with 60.00. They are being closed.',
    );
    expect(closedInWords('CLOSE ALL', { ordersOpen: 3, openStake: 60 })).toContain('quoted again: 3 open');
  });

  it('it is told what is still held, and what that may cost', () => {
    const profit = aProfit().run;
    const held = [
      liveEvent('a', { profit, worst: -12 }),
      liveEvent('b', { profit, worst: -3 }),
      liveEvent('c', { worst: -99 }),
    ];
    expect(heldInWords('kill', [])).toBe('Nothing: no bet is matched.');
    expect(heldInWords('kill', held)).toContain('2 events, at worst −15.00');
    expect(heldInWords('kill', held.slice(0, 1))).toContain('on a, at worst −12.00');
  });

  it.each([
    ['kill', true],
    ['pause', true],
    ['CLOSE ALL', false],
  ] as const)(
    'it is told when a hedge can be sent again: after a %s only after RESUME: %s',
    (stop, isLater) => {
      const text = heldInWords(stop, [liveEvent('a', { profit: aProfit().run, worst: -12 })]);
      expect([text.includes('hedge them after RESUME'), text.includes('Hedge them below')]).toEqual([
        isLater,
        !isLater,
      ]);
    },
  );

  it('it is told what comes next, by what this link may do', () => {
    expect(nextInWords('kill', 2, true, 'over restarts')).toContain('Wait until no order is open');
    expect(nextInWords('kill', 0, true, 'over restarts')).toMatch(
      /^Hold RESUME for a second once the cause is gone/,
    );
    expect(nextInWords('pause', 0, true, 'over restarts')).toMatch(
      /^Hold RESUME for a second to quote again/,
    );
    expect(nextInWords('pause', 0, false, 'over restarts')).toMatch(/^Somebody with control/);
    expect(nextInWords('CLOSE ALL', 9, false, 'over restarts')).toContain('PAUSE');
  });

  it.each([
    ['over restarts', /nothing is placed, also after a restart\.$/],
    ['for this run', /this run places nothing\. It is kept for this run alone: its journal is in memory\./],
    ['nowhere', /NOT LATCHED: a daemon that starts will trade\.$/],
  ] as const)('it is told whether a restart keeps it: %s', (kept, words) => {
    for (const stop of ['kill', 'pause'] as const) {
      const text = nextInWords(stop, 0, true, kept);
      expect(text).toMatch(words);
      expect(text.includes('also after a restart')).toBe(kept === 'over restarts');
    }
  });

  it('counts no open order among the bets that are still held', () => {
    const { run: profit } = aProfit();
    const held = [liveEvent('a', { profit, worst: -500, worstMatched: -12 })];
    expect(heldInWords('kill', held)).toContain('The matched bets on a, at worst −12.00');
  });

  it('all of it is on the page: after a kill, a pause and CLOSE ALL alike', () => {
    const shownIn = (scene: keyof typeof SCENES): Page => {
      const set = { ...SCENES[scene].pieces, [PIECES.alerts]: [] };
      const view = afterMessage(null, { atMs: SCENE_AT_MS, frameAtMs: null, isFirst: true, set }, 0);
      const shown = view === null ? null : shownAt(view, 0);
      if (shown === null) throw new Error('a scene can be shown');
      return shown;
    };
    const textOf = (scene: keyof typeof SCENES, closedAtMs: number | null): string => {
      const session = { token: 't', scope: 'control' };
      return pressedPage(AfterStop, { shown: shownIn(scene), session, closedAtMs }).text();
    };
    expect(textOf('busy', null)).toBe('');
    for (const scene of ['killed', 'paused'] as const)
      expect(textOf(scene, null)).toMatch(
        /^Whythe feed looked wrong \(dashboard.*, 15:45:41 UTC\)ClosedEvery order.*Still heldThe matched bets on 4 events.*NextHold RESUME/,
      );
    expect(textOf('busy', SCENE_AT_MS - 5_000)).toMatch(
      /^WhyCLOSE ALL was pressed here, 15:46:06 UTCClosedEvery order of then.*Still heldThe matched bets on 4 events.*NextPAUSE/,
    );
  });
});
