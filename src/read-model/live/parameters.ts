/** Other values of a strategy's parameters; null: the value of the configuration again. */
export interface ParameterWish {
  readonly strategy: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** A setting that a wish changes, by its key in the configuration. */
export interface ParameterChange {
  readonly key: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** The parameters of a strategy in force. */
export interface StrategyParameters {
  readonly name: string;
  readonly description: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly value: unknown;
    /** Whether a person changed it while the daemon ran. */
    readonly isOverridden: boolean;
    readonly description?: string | undefined;
    readonly type?: string | undefined;
    readonly minimum?: number | undefined;
    readonly maximum?: number | undefined;
    readonly choices?: readonly string[] | undefined;
  }[];
}
