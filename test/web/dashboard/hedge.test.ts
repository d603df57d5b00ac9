import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AccessScope } from '../../../src/ops/scopes.ts';
import { liveEvent } from '../../support/live-event.ts';
import { acting } from '../../support/hooked-page.ts';
import { componentsIn, pressedPage, settled, type Shown } from '../../support/pressed-page.ts';

const { Hedge } = await componentsIn('workspace/hedge.tsx');
const { EventHead } = await componentsIn('workspace/event-head.tsx');
const { CancelMarket } = await componentsIn('workspace/cancel-market.tsx');

const EVENT = liveEvent('fb|2026-01-01,1,2', { worst: -20.9, inRunning: true, score: [1, 0] });
const session = (scope: AccessScope = 'reduce') => ({ token: 't', scope });
const AT_MS = Date.UTC(2026, 0, 1, 13, 18, 41);
const PREVIEW = {
  plan: 'p-1',
  bets: [{ name: 'A', direction: 'for', price: 2, stakeUsdt: 70 }],
  boundUsdt: 50,
  worstUsdt: { before: -120, after: -50, ifHalf: -85 },
  withOpenUsdt: -120,
  tradingState: 'reducing',
  expectedLossUsdt: 1.5,
  commissionUsdt: 0.25,
  betslips: 1,
  seconds: 2.5,
};

const MADE = {
  bets: [{ name: 'A', direction: 'for', state: 'sent', filledUsdt: 0 }],
  worstUsdt: -120,
  boundUsdt: 50,
  tradingState: 'reducing',
  isOver: false,
  secondsLeft: 30,
};
const DONE = {
  ...MADE,
  bets: [{ ...MADE.bets[0], state: 'ended', filledUsdt: 70 }],
  worstUsdt: -50,
  isOver: true,
};

interface Sent {
  readonly path: string;
  readonly method: string;
  readonly body: unknown;
}

let sent: Sent[] = [];
let answers: { readonly status: number; readonly body: object }[] = [];
let onKey: ((event: object) => void) | null = null;

beforeEach(() => {
  [sent, answers, onKey] = [[], [], null];
  class Field {}
  for (const name of ['HTMLInputElement', 'HTMLTextAreaElement', 'HTMLSelectElement'])
    vi.stubGlobal(name, Field);
  vi.stubGlobal('addEventListener', (kind: string, to: (event: object) => void) => {
    if (kind === 'keydown') onKey = to;
  });
  vi.stubGlobal('removeEventListener', () => void (onKey = null));
  vi.stubGlobal('fetch', (path: string, { method = 'GET', body }: { method?: string; body?: string }) => {
    sent.push({ path, method, body: body === undefined ? null : (JSON.parse(body) as unknown) });
    const { status, body: answer } = answers.shift() ?? { status: 200, body: {} };
    return Promise.resolve(new Response(JSON.stringify(answer), { status }));
  });
});
afterEach(() => vi.unstubAllGlobals());

const answering = async (status: number, body: object, press: () => void): Promise<void> => {
  answers.push({ status, body });
  press();
  await settled();
  expect(answers).toEqual([]);
};

describe('a hedge on the dashboard', () => {
  const page = (given: object = {}) =>
    pressedPage(Hedge, {
      event: EVENT,
      session: session(),
      atMs: AT_MS,
      label: 'bound',
      goal: { boundUsdt: '50' },
      ...given,
    });

  it('asks first, shows what it would do, and makes that on the second press alone', async () => {
    const shown = page();
    await answering(200, PREVIEW, () => shown.press('bound …'));
    expect(sent).toEqual([
      { path: '/hedge?event=fb%2F2026-01-01%2C1%2C2&boundUsdt=50', method: 'GET', body: null },
    ]);
    const [preview] = shown.named('Preview') as [Shown];
    const inside = pressedPage(preview.type, preview.props);
    for (const words of [
      '70.00 for A at 2.00',
      'worst case −120.00, then −50.00, with half of it −85.00',
      'costs 1.50',
      'commission 0.25',
      '1 betslips, 2.5 s',
    ])
      expect(inside.text()).toContain(words);
    expect(inside.labels()).toEqual(['CONFIRM', 'no']);
    await answering(200, MADE, () => inside.press('CONFIRM'));
    expect(sent.slice(1)).toEqual([
      {
        path: '/hedge',
        method: 'POST',
        body: { plan: 'p-1', reason: 'pressed on the dashboard', by: 'dashboard' },
      },
    ]);
    expect(shown.text()).toContain(
      '13:18:41 the hedge was sent; worst case of the matched bets −120.00 then, −20.90 now',
    );
    shown.leave();
  });

  it('tells what the event has come to since it was sent, for a minute', async () => {
    const given = { event: EVENT, session: session(), label: 'bound', goal: { boundUsdt: '50' } };
    const shown = page();
    await answering(200, PREVIEW, () => shown.press('bound …'));
    const [preview] = shown.named('Preview') as [Shown];
    await answering(200, DONE, () => (preview.props['onMake'] as () => void)());
    shown.show({ ...given, event: { ...EVENT, worst: -10, worstMatched: -10 }, atMs: AT_MS + 59_999 });
    expect(shown.text()).toContain(
      '13:18:41 the hedge was sent and is over; worst case of the matched bets −120.00 then, −10.00 now',
    );
    shown.show({ ...given, atMs: AT_MS + 60_000 });
    expect(shown.text()).not.toContain('the hedge was sent');
    // The next press asks anew.
    await answering(200, PREVIEW, () => shown.press('bound …'));
    expect(shown.named('Preview')).toHaveLength(1);
  });

  describe('says what a preview and its answer are about', () => {
    const said = async (
      previewed: object,
      made: object,
      event: object,
    ): Promise<readonly [string, string]> => {
      const shown = page({ event: { ...EVENT, ...event } });
      await answering(200, { ...PREVIEW, ...previewed }, () => shown.press('bound …'));
      const [preview] = shown.named('Preview') as [Shown];
      const before = pressedPage(preview.type, preview.props).text();
      await answering(200, { ...DONE, ...made }, () => (preview.props['onMake'] as () => void)());
      return [before, shown.text()];
    };

    it('the matched bets, and beside them the orders that rest, where these make it worse', async () => {
      const held = { worst: -50, worstMatched: -50 };
      const [before, after] = await said({ withOpenUsdt: -245.4 }, {}, { ...held, worst: -167.4 });
      expect(before).toContain('(of the matched bets; with the orders that rest −245.40 now)');
      expect(after).toContain(
        'worst case of the matched bets −120.00 then, −50.00 now; with the orders that rest −245.40 then, −167.40 now',
      );
      const texts = await said({}, {}, held);
      for (const text of texts) {
        expect(text).toContain('of the matched bets');
        expect(text).not.toContain('the orders that rest');
      }
    });

    it.each([
      ['active', true],
      ['reducing', false],
      ['halted', false],
    ])('whether quoting goes on: %s', async (tradingState, goesOn) => {
      for (const text of await said({ tradingState }, { tradingState }, {}))
        expect(text.includes('quoting goes on')).toBe(goesOn);
    });

    it.each<[name: string, made: object, words: string | null]>([
      ['reached', {}, null],
      ['missed', { worstUsdt: -62.1 }, 'bound 50.00 not reached: −62.10 matched; ask for the hedge again'],
      ['none', { worstUsdt: -62.1, boundUsdt: undefined }, null],
      ['not reached by an offer that rests', { worstUsdt: -62.1, isOver: false, secondsLeft: 600 }, null],
    ])('whether its bound is reached: %s', async (_, made, words) => {
      const [, text] = await said({}, made, {});
      expect(text.includes('not reached')).toBe(words !== null);
      expect(text).toContain(words ?? 'the hedge was sent and');
    });

    it('which bet came to nothing, and why', async () => {
      const bets = [{ ...MADE.bets[0], state: 'wanted', why: 'never sent: trading is paused' }];
      const [, text] = await said({}, { bets }, {});
      expect(text).toContain('for A: nothing matched: never sent: trading is paused');
    });

    it('that the bound cannot be reached', async () => {
      const [before] = await said({ worstUsdt: { before: -120, after: -70, ifHalf: -95 } }, {}, {});
      expect(before).toContain('the bound 50.00 cannot be reached now');
      expect((await said({}, {}, {}))[0]).not.toContain('cannot be reached');
    });
  });

  it('is followed once a second until it is over', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const given = {
        event: EVENT,
        session: session(),
        atMs: AT_MS,
        label: 'bound',
        goal: { boundUsdt: '50' },
      };
      const shown = page();
      await answering(200, PREVIEW, () => shown.press('bound …'));
      const [preview] = shown.named('Preview') as [Shown];
      await answering(200, MADE, () => (preview.props['onMake'] as () => void)());
      const looks = () => sent.filter(({ path }) => path.startsWith('/hedge/progress'));
      for (const answer of [
        { status: 503, body: {} },
        { status: 200, body: MADE },
        { status: 200, body: DONE },
      ]) {
        // Its timer starts once it is drawn.
        shown.show(given);
        expect(shown.text()).not.toContain('and is over');
        await answering(answer.status, answer.body, () => void vi.advanceTimersByTime(1_000));
      }
      expect(shown.text()).toContain('and is over');
      shown.show(given);
      vi.advanceTimersByTime(60_000);
      expect(looks().map(({ path }) => path)).toEqual(Array(3).fill('/hedge/progress?plan=p-1'));
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    [
      'no',
      (shown: ReturnType<typeof page>) => {
        const [preview] = shown.named('Preview') as [Shown];
        pressedPage(preview.type, preview.props).press('no');
      },
    ],
    ['the same button', (shown: ReturnType<typeof page>) => shown.press('bound …')],
  ])('is left by %s, and nothing is sent', async (_, leave) => {
    const shown = page();
    await answering(200, PREVIEW, () => shown.press('bound …'));
    leave(shown);
    expect(shown.named('Preview')).toEqual([]);
    expect(sent).toHaveLength(1);
  });

  it.each([
    ['another event', { event: liveEvent('fb|2026-01-01,3,4', {}) }],
    ['another amount', { goal: { boundUsdt: '20' } }],
    ['another selection', { goal: { flatten: 'x' } }],
  ])('confirms nothing that was asked of %s', async (_, other) => {
    const given = {
      event: EVENT,
      session: session(),
      atMs: AT_MS,
      label: 'bound',
      goal: { boundUsdt: '50' },
    };
    const shown = page();
    await answering(200, PREVIEW, () => shown.press('bound …'));
    shown.show({ ...given, ...other });
    expect(shown.named('Preview')).toEqual([]);
    // An answer that comes later is one to the earlier question, too.
    shown.show(given);
    shown.press('bound …');
    answers.push({ status: 200, body: PREVIEW });
    shown.press('bound …');
    shown.show({ ...given, ...other });
    await settled();
    expect([answers, shown.named('Preview')]).toEqual([[], []]);
    expect(sent.map(({ method }) => method)).toEqual(['GET', 'GET']);
  });

  it('takes its preview away with the first press on CONFIRM, and is sent once', async () => {
    const shown = page();
    await answering(200, PREVIEW, () => shown.press('bound …'));
    const [preview] = shown.named('Preview') as [Shown];
    answers.push({ status: 200, body: DONE });
    pressedPage(preview.type, preview.props).press('CONFIRM');
    expect([shown.named('Preview'), shown.labels()]).toEqual([[], ['bound …']]);
    expect(shown.text()).toContain('sent …');
    await settled();
    expect(shown.text()).toContain('the hedge was sent');
    expect(sent.map(({ method }) => method)).toEqual(['GET', 'POST']);
  });

  it('tells why the daemon refuses, at both steps', async () => {
    const shown = page();
    await answering(422, { error: 'nothing is held' }, () => shown.press('bound …'));
    expect([shown.text(), shown.named('Preview')]).toEqual([
      expect.stringContaining('13:18:41 nothing is held'),
      [],
    ]);
    shown.press('bound …');
    await answering(200, PREVIEW, () => shown.press('bound …'));
    const [preview] = shown.named('Preview') as [Shown];
    await answering(422, { error: 'its prices no longer hold' }, () =>
      (preview.props['onMake'] as () => void)(),
    );
    expect(shown.text()).toContain('13:18:41 FAILED: its prices no longer hold');
  });

  it('tells when it is asked for, and when nothing of it is shown any more', async () => {
    const told: boolean[] = [];
    const shown = page({ onShown: (isShown: boolean) => told.push(isShown) });
    await answering(200, PREVIEW, () => shown.press('bound …'));
    shown.press('bound …');
    expect(told.filter((each, at) => each !== told[at - 1])).toEqual([false, true, false]);
  });

  it('is not there for who may only read', () => {
    expect(page({ session: session('read') }).labels()).toEqual([]);
    expect(page({ session: session('control') }).labels()).toEqual(['bound …']);
  });

  it('names each of its bets, and what it is on the exchange where that differs', async () => {
    const shown = page();
    const exchange = { label: 'against', price: 1.6, stake: 80 };
    const bets = [
      { name: 'A', direction: 'against', price: 2.667, stakeUsdt: 48, exchange },
      { name: 'B', direction: 'for', price: 12, stakeUsdt: 1_234.5 },
    ];
    const answer = { ...PREVIEW, bets, expectedLossUsdt: -0.5, betslips: 0, seconds: 0.5 };
    await answering(200, answer, () => shown.press('bound …'));
    const [preview] = shown.named('Preview') as [Shown];
    const inside = pressedPage(preview.type, preview.props);
    const items = inside.nodes().filter(({ type }) => type === 'li');
    expect(items).toHaveLength(2);
    for (const words of [
      '48.00 against A at 2.667 (on the exchange against 80.00 at 1.60)',
      '1\u2009235 for B at 12.00',
      'costs −0.50',
      '0 betslips, 0.5 s',
    ])
      expect(inside.text()).toContain(words);
    expect(inside.text().match(/on the exchange/g)).toHaveLength(1);
  });

  it('of unknown cost says so', async () => {
    const shown = page({ label: 'flatten A', text: 'flatten', goal: { flatten: 'x' } });
    await answering(200, { ...PREVIEW, expectedLossUsdt: null }, () => shown.press('flatten …'));
    expect(sent[0]?.path).toBe('/hedge?event=fb%2F2026-01-01%2C1%2C2&flatten=x');
    const [preview] = shown.named('Preview') as [Shown];
    expect(pressedPage(preview.type, preview.props).text()).toContain('cost not known');
  });
});

describe('the hedges of an event', () => {
  const head = (over: object = {}, scope: AccessScope = 'reduce') =>
    pressedPage(EventHead, {
      event: { ...EVENT, ...over },
      atMs: 10_000,
      session: session(scope),
      first: null,
    });

  it('equalise any of its markets, and bound what it may lose: at first to half of its worst case', () => {
    const shown = head();
    expect(shown.named('Hedge').map(({ props: { goal } }) => goal)).toEqual([{ equalise: '' }]);
    const [bound] = shown.named('Bound') as [Shown];
    const inside = pressedPage(bound.type, bound.props);
    const goals = () => inside.named('Hedge').map(({ props: { goal } }) => goal);
    expect(goals()).toEqual([{ boundUsdt: '10' }]);
    for (const [typed, goal] of [
      ['7.5', { boundUsdt: '7.5' }],
      ['0', { boundUsdt: '0' }],
      ['-1', null],
      ['', null],
      ['x', null],
    ] as const) {
      inside.type(typed);
      expect([typed, goals()]).toEqual([typed, goal === null ? [] : [goal]]);
      expect(inside.text().includes('not an amount')).toBe(goal === null);
    }
    expect(pressedPage(bound.type, { ...bound.props, session: session('read') }).nodes()).toEqual([]);
  });

  it('bound it at half of what its matched bets may lose now, until a person types, and while a hedge is shown', () => {
    const [bound] = head().named('Bound') as [Shown];
    const inside = pressedPage(bound.type, bound.props);
    const amount = (): unknown => (inside.named('Hedge')[0] as Shown).props['goal'];
    const losing = (worstMatched: number): void =>
      inside.show({ ...bound.props, event: { ...EVENT, worst: -900, worstMatched } });
    const shows = (isShown: boolean): void =>
      acting(() => ((inside.named('Hedge')[0] as Shown).props['onShown'] as (is: boolean) => void)(isShown));
    for (const [worst, half] of [
      [-45, '22'],
      [0, '0'],
      [-300, '150'],
    ] as const) {
      losing(worst);
      expect(amount()).toEqual({ boundUsdt: half });
    }
    shows(true);
    losing(-100);
    expect(amount()).toEqual({ boundUsdt: '150' });
    shows(false);
    expect(amount()).toEqual({ boundUsdt: '50' });
    inside.type('7');
    losing(-60);
    expect(amount()).toEqual({ boundUsdt: '7' });
  });

  it('leave what a person typed or began with the event that it was meant for', () => {
    const keysOf = (event: object): readonly unknown[] =>
      ['Bound', 'ByHand'].map((name) => {
        const [part] = head(event).named(name);
        return (part as { readonly key?: unknown }).key;
      });
    const [one, another] = [keysOf({}), keysOf({ key: 'fb|2026-01-01,3,4' })];
    expect(keysOf({ worst: -5 })).toEqual(one);
    one.forEach((key, at) => expect(another[at]).not.toBe(key));
  });

  it('stand beside its score with its age, its red cards, and whether it is suspended', () => {
    const playing = { scoreSinceMs: 4_000, redCards: [0, 1], suspended: true };
    const text = head(playing).text();
    for (const words of ['1:0 for 6 s', 'red cards 0:1', 'SUSPENDED']) expect(text).toContain(words);
    const calm = head({ ...playing, redCards: [0, 0], suspended: false }).text();
    for (const words of ['red cards', 'SUSPENDED', 'suspension']) expect(calm).not.toContain(words);
    expect(head({ suspended: null }).text()).toContain('suspension not known');
  });
});

describe('the cancelling of one market', () => {
  const selection = { id: 'fb|2026-01-01,1,2|h', name: 'A', restriction: null };
  const page = (given: object = {}) =>
    pressedPage(CancelMarket, { selection, session: session(), atMs: AT_MS, ...given });
  const HALT = {
    path: '/state',
    method: 'POST',
    body: { selection: selection.id, state: 'halted', reason: 'pressed on the dashboard', by: 'dashboard' },
  };
  const key = (given: object = {}): void => onKey?.({ key: 'x', target: null, ...given });

  it('halts the selection by a press, and by its key', async () => {
    const shown = page();
    await answering(200, {}, () => shown.press('cancel A (X)'));
    await answering(200, {}, () => key({ key: 'X' }));
    expect(sent).toEqual([HALT, HALT]);
    shown.show({
      selection: { id: 'another', name: 'B', restriction: null },
      session: session(),
      atMs: AT_MS,
    });
    await answering(200, {}, () => key());
    expect(sent.at(-1)?.body).toMatchObject({ selection: 'another' });
    shown.leave();
    expect(onKey).toBeNull();
  });

  it.each([
    ['another key', { key: 'y' }],
    ['a shortcut of the browser', { ctrlKey: true }],
    ['one of the system', { metaKey: true }],
    ['one of a menu', { altKey: true }],
    ['a key that is held', { repeat: true }],
  ])('is not done by %s', (_, pressed) => {
    const shown = page();
    key(pressed);
    expect(sent).toEqual([]);
    shown.leave();
  });

  it('is not done by a key in a field, nor without a selection, nor by who may only read', () => {
    const shown = page();
    const Field = Reflect.get(globalThis, 'HTMLInputElement') as new () => object;
    key({ target: new Field() });
    shown.leave();
    for (const given of [{ selection: undefined }, { session: session('read') }]) {
      const other = page(given);
      key();
      expect(other.labels()).toEqual([]);
      other.leave();
    }
    expect(sent).toEqual([]);
  });
});
