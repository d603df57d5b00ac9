import { expect, it } from 'vitest';
import * as ids from '../../src/domain/ids.ts';
import { Books } from '../../src/market/books.ts';
import { FIXTURE, HOME } from './support.ts';

const BET_TYPE = ids.betType('for,h');

it('finds a selection by its name until its event is removed, and again when the event comes back', () => {
  const books = new Books();
  const event = books.openEvent(FIXTURE);
  expect(books.selection(HOME)).toBeUndefined();
  const market = books.openMarket(event, BET_TYPE);
  expect(books.selection(HOME)).toBe(market?.selection);
  books.removeEvent(event);
  expect(books.selection(HOME)).toBeUndefined();
  const again = books.openMarket(books.openEvent(FIXTURE), BET_TYPE);
  expect(again).not.toBe(market);
  expect(books.selection(HOME)).toBe(again?.selection);
});
