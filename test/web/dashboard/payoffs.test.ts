import { describe, expect, it } from 'vitest';
import { afterMessage, shownAt } from '../../../src/web/dashboard/stream/view.ts';
import { SCENE_AT_MS, SCENES } from '../../support/dashboard-scenes.ts';
import { liveEvent } from '../../support/live-event.ts';
import { componentsIn, pressedPage, type Shown } from '../../support/pressed-page.ts';

const { Payoffs } = await componentsIn('workspace/payoffs.tsx');

const message = { atMs: SCENE_AT_MS, frameAtMs: null, isFirst: true, set: SCENES.empty.pieces };
const view = afterMessage(null, message, 0);
const shown = view === null ? null : shownAt(view, 0);

/** Each final score pays ten times the home goals less the away goals; those below the score can no longer be. */
const gridFrom = ([home, away]: readonly [number, number]) =>
  Array.from({ length: 20 }, (_, down) =>
    Array.from({ length: 20 }, (_cell, across) =>
      down < home || across < away ? null : 10 * down - (across === 0 ? 606 : across),
    ),
  );

function grid(score: readonly [number, number] | null) {
  const props = {
    event: liveEvent('fb|2026-01-01,1,2', { score }),
    payoffs: { cells: gridFrom(score ?? [0, 0]), besides: 0 },
    shown,
    session: { token: 't', scope: 'read' },
  };
  const page = pressedPage(Payoffs, props);
  const buttons = (): readonly Shown[] =>
    page.named('Cell').flatMap(({ type, props: given }) => {
      const [button] = pressedPage(type, given).nodes();
      return button === undefined ? [] : [button];
    });
  const buttonAt = (name: string): Readonly<Record<string, unknown>> => {
    const found = buttons().find(({ props: { 'aria-label': label } }) =>
      String(label).startsWith(`${name} `),
    );
    if (found === undefined) throw new Error(`${name} is not shown`);
    return found.props;
  };
  return { page, buttons, buttonAt };
}

describe('the payoff grid', () => {
  it('shows no amount and no colour where a score can no longer be, and takes no press there', () => {
    const { page, buttonAt } = grid([1, 1]);
    const gone = buttonAt('0:0');
    expect(gone).toMatchObject({
      'aria-label': '0:0 can no longer be',
      'aria-disabled': true,
      class: 'quiet',
      style: { '--heat': '0%' },
      children: '–',
    });
    (gone['onClick'] as () => void)();
    expect(page.named('Bets')).toEqual([]);
    expect(buttonAt('1:1')).toMatchObject({
      'aria-label': '1:1 pays 9',
      'aria-disabled': false,
      class: 'gain',
    });
  });

  it('colours by the largest amount that can still be', () => {
    // At 0:0 the column without away goals pays −606, and takes all colour.
    expect(grid(null).buttonAt('0:0')).toMatchObject({ class: 'loss', style: { '--heat': '100%' } });
    expect(grid(null).buttonAt('4:1')).toMatchObject({ class: 'gain', style: { '--heat': '6%' } });
    expect(grid([1, 1]).buttonAt('5:1')).toMatchObject({ class: 'gain', style: { '--heat': '100%' } });
  });

  it.each([
    [null, '0:0', '4:4'],
    [[0, 0], '0:0', '4:4'],
    [[1, 1], '0:0', '5:5'],
    [[4, 0], '1:0', '8:7'],
    [[10, 11], '7:8', '14:15'],
    [[19, 19], '12:12', '19:19'],
  ] as const)('around %j goes from %s to %s, and outlines the present score', (score, first, last) => {
    const { page, buttons } = grid(score);
    const names = buttons().map(({ props }) => String(props['aria-label']).split(' ')[0]);
    expect([names[0], names.at(-1)]).toEqual([first, last]);
    const outlined = page.nodes().filter(({ type, props }) => type === 'td' && props['class'] === 'now');
    expect(outlined).toHaveLength(1);
    const [cell] = outlined as [Shown];
    expect((cell.props['children'] as Shown).props['score']).toEqual(score ?? [0, 0]);
  });
});
