/** The rules of a mode: what a run may touch, and what a person must set first. */
export interface ModeRules {
  /** Describes the mode in the list of settings. */
  readonly meaning: string;
  /** The real parts. All others are simulated on this machine. */
  readonly real: { readonly money: boolean; readonly exchange: boolean; readonly clock: boolean };
  /** Whether orders, and all else that acts on an account, go to the configured exchange. */
  readonly actsOnExchange: boolean;
  readonly journal: {
    /** Whether the orders may be forgotten at the end of the run. */
    readonly mayBeInMemory: boolean;
    /** Whether the mode accepts a journal that has records and names no mode. Its orders may be of real money. */
    readonly mayBeUnnamed: boolean;
  };
  /** The switch that the command line must have, too; null for none. */
  readonly explicitSwitch: '--live' | null;
  /** Whether every money limit must be set; otherwise a missing limit has a moderate default. */
  readonly limitsAreMandatory: boolean;
  /** The first text that people see in the log and in the live view. */
  readonly banner: string;
  /** The colour of the frame, the same wherever the mode is shown. */
  readonly colour: 'grey' | 'violet' | 'orange';
}

const TABLE = {
  simulated: {
    meaning: 'the embedded exchange',
    real: { money: false, exchange: false, clock: true },
    actsOnExchange: true,
    journal: { mayBeInMemory: true, mayBeUnnamed: false },
    explicitSwitch: null,
    limitsAreMandatory: false,
    banner: 'SIMULATED',
    colour: 'grey',
  },
  paper: {
    meaning: 'the prices of a real exchange, and orders that never leave this process',
    real: { money: false, exchange: true, clock: true },
    actsOnExchange: false,
    journal: { mayBeInMemory: false, mayBeUnnamed: false },
    explicitSwitch: null,
    limitsAreMandatory: true,
    banner: 'PAPER: REAL PRICES, NO ORDER',
    colour: 'violet',
  },
  live: {
    meaning: 'a real account, which also needs the switch --live',
    real: { money: true, exchange: true, clock: true },
    actsOnExchange: true,
    journal: { mayBeInMemory: false, mayBeUnnamed: true },
    explicitSwitch: '--live',
    limitsAreMandatory: true,
    banner: 'LIVE: REAL MONEY',
    colour: 'orange',
  },
} as const satisfies Record<string, ModeRules>;

/** How a run trades. Every difference between the modes is a row or a column of this table. */
export type Mode = keyof typeof TABLE;

export const MODES: Readonly<Record<Mode, ModeRules>> = TABLE;

export const MODE_NAMES = Object.keys(MODES) as readonly Mode[];

/** The names of the modes whose rules pass a test, for people: `live`, `simulated or paper`. */
export const modesWith = (holds: (rules: ModeRules) => boolean): string =>
  MODE_NAMES.filter((mode) => holds(MODES[mode])).join(' or ');
