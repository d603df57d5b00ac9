import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { JournalError } from '../../src/domain/errors.ts';
import { requestUuid } from '../../src/domain/ids.ts';
import { FirstFills, type FirstFillsParts } from '../../src/engine/convention/first-fills.ts';
import { isFresh, provenDirections, recordedConvention } from '../../src/engine/convention/journalled.ts';
import { isPermitNoted } from '../../src/engine/kill/kill-latch.ts';
import { RiskMemory } from '../../src/engine/risk-inputs/risk-memory.ts';
import type { Journal } from '../../src/ports/journal.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import { createMemoryJournal } from '../../src/storage/memory-journal.ts';
import { settledBy } from '../support/booked.ts';
import { FILL, FIXTURE } from '../market/support.ts';
import { Rig as ConventionRig } from './convention/support.ts';

/** A journal of which every call throws. */
function failing(error: Error): Journal {
  const fails = (): never => {
    throw error;
  };
  return {
    ...createMemoryJournal(new VirtualClock()),
    append: fails,
    read: fails,
    last: fails,
    ofKind: fails,
    rootSeq: fails,
  };
}

/** The first bet at odds is settled as it should be, which is written down. */
function proveFirstBet(journal: Journal): void {
  const fills = new FirstFills({
    isOn: true,
    proven: [],
    minStakeMicros: 1e6,
    convention: () => 'odds',
    hasScores: () => true,
    orders: { holdKind: () => undefined, orders: () => [] },
    journal,
    logger: silentLogger,
  } as object as FirstFillsParts);
  const fill = { ...FILL, requestUuid: requestUuid('u'), stakeMicros: 10e6, price: 3.1 };
  const result = { orderId: FILL.orderId, ...FIXTURE, profitLossMicros: 21e6 };
  fills.onChange(settledBy(result, [fill]));
}

/** A start that has to write down what prices are. */
function adoptConvention(journal: Journal): void {
  const rig = new ConventionRig({ isFresh: true });
  Object.assign(rig.journal, journal);
  rig.show('odds');
}

describe.each<[what: string, use: (journal: Journal) => unknown, otherwise: unknown]>([
  ['the convention that was recorded', recordedConvention, null],
  ['whether a journal is fresh', isFresh, false],
  ['the directions that were proven', provenDirections, []],
  ['whether a permit is noted', (journal) => isPermitNoted(new RiskMemory(journal)), false],
  ['the proof of the first bet', proveFirstBet, undefined],
  ['the convention that the stream proves', adoptConvention, undefined],
])('a journal that fails while it holds %s', (_, use, otherwise) => {
  it('is the business of its writer', () => {
    expect(use(failing(new JournalError('damaged')))).toEqual(otherwise);
  });

  it('hides no fault of the program', () => {
    const fault = new TypeError('a fault');
    expect(() => use(failing(fault))).toThrow(fault);
  });
});
