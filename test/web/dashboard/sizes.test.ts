import { describe, expect, it } from 'vitest';
import { changedIn, SIZES } from '../../../src/web/dashboard/workspace/sizes.ts';

describe('the sizes that a browser kept', () => {
  it('are those within their bounds', () => {
    expect(changedIn('{"side":90,"ladders":25}')).toEqual({ side: 90, ladders: 25 });
    expect(changedIn(JSON.stringify({ side: SIZES.side.least, ladders: SIZES.ladders.most }))).toEqual({
      side: SIZES.side.least,
      ladders: SIZES.ladders.most,
    });
  });

  it.each([
    ['nothing', null],
    ['no JSON', '{'],
    ['null', 'null'],
    ['a list', '[90]'],
    ['an unknown name', '{"height":90}'],
    ['a size too small', `{"side":${SIZES.side.least - 1}}`],
    ['a size too large', `{"table":${SIZES.table.most + 1}}`],
    ['a text', '{"side":"90"}'],
    ['a part of a row', '{"ladders":20.5}'],
  ])('are none where %s was kept', (_what, text) => {
    expect(changedIn(text)).toEqual({});
  });
});
