import { describe, expect, it } from 'vitest';
import { keysFrom } from '../../src/market/index.ts';
import { sportEvent } from './support.ts';

const SELECTION = { marketType: 'wdw', outcome: 'h' };
const EVENT = sportEvent({
  home: 'Man Utd',
  away: 'Spurs',
  eventName: 'Man Utd v Spurs',
  competitionName: 'Premier League',
  startTimeMs: Date.parse('2026-11-21T23:30:00Z'),
});

const keyOf = (
  template: string,
  aliases: Readonly<Record<string, string>> = {},
  changes = {},
): string | null => keysFrom(template, aliases)(SELECTION, { ...EVENT, ...changes });

describe('the key of a selection', () => {
  it.each([
    ['{home} v {away}|{marketType}|{outcome}', 'Man Utd v Spurs|wdw|h'],
    ['{sport}/{eventId}/{outcome}', 'fb/2026-11-21,10,20/h'],
    ['{competitionName}: {eventName} on {startDate}', 'Premier League: Man Utd v Spurs on 2026-11-21'],
    ['{outcome}{outcome}', 'hh'],
  ])('fills the template %s', (template, key) => {
    expect(keyOf(template)).toBe(key);
  });

  it('replaces whole values by their aliases', () => {
    const aliases = { 'Man Utd': 'Manchester United', h: '1', wdw: '1X2', Man: 'Isle of Man' };
    expect(keyOf('{home} v {away}|{marketType}|{outcome}', aliases)).toBe('Manchester United v Spurs|1X2|1');
    expect(keyOf('{eventName}', aliases)).toBe('Man Utd v Spurs');
  });

  it('reads no alias from what every object has', () => {
    expect(keyOf('{home}', {}, { home: 'constructor' })).toBe('constructor');
  });

  it.each([
    ['{home}', { home: '' }],
    ['{startDate}', { startTimeMs: null }],
    ['{competitionName} {outcome}', { competitionName: '' }],
  ])('is missing while the exchange does not tell %s', (template, changes) => {
    expect(keyOf(template, {}, changes)).toBeNull();
  });

  it.each([
    ['{hom}|{outcome}', /unknown field \{hom\}: known are sport, eventId, .*outcome/],
    ['{constructor}', /unknown field/],
    ['{home|{outcome}', /a brace without its partner/],
    ['home}', /a brace without its partner/],
    ['always', /names no field/],
  ])('cannot be made from %s', (template, message) => {
    expect(() => keysFrom(template)).toThrow(message);
  });
});
