import { SCENARIOS } from '../../testing/scenarios/scenario.ts';

/** The names of the scripted matches. This file loads fast, because the help of a command lists them. */
export const SCENARIO_NAMES: readonly string[] = SCENARIOS.map(({ name }) => name);
