import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type LiveTrading, PIECES } from '../../../src/read-model/live/message.ts';
import { afterMessage, type Shown, shownAt } from '../../../src/web/dashboard/stream/view.ts';
import { SCENE_AT_MS, SCENES } from '../../support/dashboard-scenes.ts';
import { componentsIn, pressedPage, settled, type Shown as Part } from '../../support/pressed-page.ts';

const { Actions } = await componentsIn('actions.tsx');

type State = LiveTrading['state'];

const { busy } = SCENES;

/** The page at some time after the scene, in a state of the account; `silentMs`: so long after the last message. */
function shownAfter(ms: number, state: State, ordersOpen = 0, silentMs = 0): Shown {
  const run = {
    ...(busy.pieces[PIECES.run] as object),
    trading: { state, by: 'anna', why: 'x', sinceMs: 1 },
  };
  const quoting = { ...(busy.pieces[PIECES.quoting] as object), ordersOpen };
  const set = { ...busy.pieces, [PIECES.run]: run, [PIECES.quoting]: quoting };
  const message = { atMs: SCENE_AT_MS + ms - silentMs, frameAtMs: null, isFirst: true, set };
  const view = afterMessage(null, message, 0);
  const shown = view === null ? null : shownAt(view, silentMs);
  if (shown === null) throw new Error('a scene can be shown');
  return shown;
}

let answers: { readonly status: number; readonly body: object }[] = [];

let closed: readonly number[] = [];
const onClosed = (atMs: number): void => void (closed = [...closed, atMs]);

beforeEach(() => {
  closed = [];
  vi.stubGlobal('fetch', () => {
    const { status, body } = answers.shift() ?? { status: 200, body: {} };
    return Promise.resolve(new Response(JSON.stringify(body), { status }));
  });
});
afterEach(() => vi.unstubAllGlobals());

const SESSION = { token: 't', scope: 'control' };

/** PAUSE was pressed at 15:46:11, and answered so. */
async function paused(openOrders: number, given: object = { body: { openOrders } }) {
  answers = [{ status: 200, body: {}, ...given }];
  const page = pressedPage(Actions, { session: SESSION, onClosed, shown: shownAfter(0, 'active', 17) });
  const said = (): string => {
    const line = page.nodes().find(({ props }) => props['class'] === 'notice-line');
    return line?.props['children'] as string;
  };
  page.press('PAUSE');
  await settled();
  const show = (shown: Shown): void => page.show({ session: SESSION, onClosed, shown });
  return { page, said, show };
}

describe('the answer to a command below the bar', () => {
  it('has its time, and counts the orders that are open by now', async () => {
    const { said, show } = await paused(17);
    expect(said()).toBe('15:46:11 paused: 17 orders are being closed');
    show(shownAfter(500, 'halted', 3));
    expect(said()).toBe('15:46:11 paused: 3 orders are being closed');
    show(shownAfter(900, 'halted', 1));
    expect(said()).toBe('15:46:11 paused: the open order is being closed');
    show(shownAfter(1_500, 'halted', 0));
    expect(said()).toBe('15:46:11 paused: no order is open');
  });

  it('stays while the page does not know yet, and goes for good once somebody resumes elsewhere', async () => {
    const { said, show } = await paused(0);
    show(shownAfter(400, 'active', 0));
    expect(said()).toBe('15:46:11 paused: no order is open');
    show(shownAfter(3_000, 'halted'));
    expect(said()).toBe('15:46:11 paused: no order is open');
    show(shownAfter(9_000, 'killed'));
    expect(said()).toBe('15:46:11 paused: no order is open');
    show(shownAfter(10_000, 'active', 12));
    expect(said()).toBe('');
    show(shownAfter(11_000, 'halted'));
    expect(said()).toBe('');
  });

  it('stays while nothing comes from the daemon, for a minute', async () => {
    const { said, show } = await paused(17);
    show(shownAfter(59_000, 'active', 17, 59_500));
    expect(said()).toBe('15:46:11 paused: 17 orders are being closed');
    show(shownAfter(60_000, 'active', 17, 60_500));
    expect(said()).toBe('');
  });

  it('goes after a minute, also while it is still so', async () => {
    const { said, show } = await paused(0);
    show(shownAfter(59_999, 'halted'));
    expect(said()).not.toBe('');
    show(shownAfter(60_000, 'halted'));
    expect(said()).toBe('');
  });

  it('names the command that failed, until it is done all the same', async () => {
    const { said, show } = await paused(0, { status: 403, body: { error: 'the link is over' } });
    expect(said()).toBe('15:46:11 PAUSE FAILED: the link is over');
    show(shownAfter(5_000, 'active', 17));
    expect(said()).toBe('15:46:11 PAUSE FAILED: the link is over');
    show(shownAfter(6_000, 'halted'));
    expect(said()).toBe('');
  });

  it('makes room for the next', async () => {
    const { page, said, show } = await paused(0);
    show(shownAfter(3_000, 'halted'));
    answers = [{ status: 409, body: { error: 'busy' } }];
    page.press('PAUSE');
    await settled();
    expect(said()).toBe('15:46:14 PAUSE FAILED: busy');
  });

  it.each([
    ['orders are being closed', {}, 'active', 17, 'active'],
    ['KILLED: no order is open', { openOrders: 0 }, 'killed', 0, 'active'],
    ['resumed', { openOrders: 0, killed: null }, 'active', 0, 'killed'],
    ['RESUME FAILED: the kill switch is still set', { killed: {} }, 'killed', 0, 'active'],
  ] as const)('is “%s” for %j, while the account is %s', async (words, body, state, open, later) => {
    answers = [{ status: 200, body }];
    const page = pressedPage(Actions, { session: SESSION, onClosed, shown: shownAfter(0, state, open) });
    const said = (): unknown =>
      page.nodes().find(({ props }) => props['class'] === 'notice-line')?.props['children'];
    const [part, handler] = words.startsWith('KILLED')
      ? (['KillButton', 'onKill'] as const)
      : words.startsWith('orders')
        ? (['CloseAll', 'onConfirm'] as const)
        : (['HeldButton', 'onHeld'] as const);
    const [button] = page.named(part) as [Part];
    (button.props[handler] as () => void)();
    await settled();
    expect(said()).toBe(`15:46:11 ${words}`);
    expect(closed).toEqual(part === 'CloseAll' ? [SCENE_AT_MS] : []);
    page.show({ session: SESSION, onClosed, shown: shownAfter(3_000, later, open) });
    expect(said()).toBe(part === 'CloseAll' ? `15:46:11 ${words}` : '');
  });
});
