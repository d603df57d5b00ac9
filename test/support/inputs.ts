import { applyTo, type Core } from '../../src/engine/core.ts';
import type { Input, Inputs } from '../../src/engine/input.ts';
import type { Risk } from '../../src/risk/index.ts';

type Deciders = Parameters<typeof applyTo>[0];

/** The core's door to some of its deciders. An input of another decider throws. */
export const inputsOf = (deciders: Partial<Deciders>): Inputs => ({
  apply: (input) => applyTo(deciders as Deciders, input as never) as never,
});

/** A door behind which nothing is, that passes each input on. */
export const inputsTo = (taken: (input: Input) => unknown): Inputs => ({
  apply: (input) => taken(input) as never,
});

/** The risk behind a core, for tests that put another in the place of one of its methods. */
export const riskBehind = ({ risk }: Pick<Core, 'risk'>): Risk => risk as Risk;
