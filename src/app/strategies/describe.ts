import { z } from 'zod';
import { BUNDLED_STRATEGIES } from '../../strategy/loader.ts';
import { isStream, type Strategy } from '../../strategy/contract.ts';
import { strategyNamed } from './load.ts';

/** A parameter as the strategy's schema describes it. */
export interface DescribedParameter {
  readonly name: string;
  /** In words: `number from 0 to 5`. */
  readonly type: string;
  /** Undefined if the configuration must name the parameter. */
  readonly default: unknown;
  /** Empty if the schema does not say. */
  readonly meaning: string;
}

export interface DescribedStrategy {
  readonly name: string;
  readonly form: 'pure' | 'stream';
  readonly description: string;
  readonly parameters: readonly DescribedParameter[];
}

/** The bundled strategies, in the order of the documents. */
export const bundledStrategies = (): Promise<readonly DescribedStrategy[]> =>
  Promise.all(BUNDLED_STRATEGIES.map(async (name) => describeStrategy(await strategyNamed(name))));

export const describeStrategy = (strategy: Strategy): DescribedStrategy => ({
  name: strategy.name,
  form: isStream(strategy) ? 'stream' : 'pure',
  description: strategy.description,
  parameters: parametersOf(strategy.parameters),
});

/** The parts of a JSON schema that people read. */
interface Described {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly description?: string;
}

/** The parameters that a schema names. None if it is not a zod schema of an object. */
export function parametersOf(schema: z.ZodType): DescribedParameter[] {
  const { properties } = jsonSchemaOf(schema);
  return Object.entries(properties ?? {}).map(([name, described]) => ({
    name,
    type: typeOf(described),
    default: described.default,
    meaning: described.description ?? '',
  }));
}

/** What a schema says of its fields, and of fields that it does not name. */
interface JsonSchema {
  readonly properties?: Readonly<Record<string, Described>>;
  /** False if the schema refuses fields that it does not name. */
  readonly additionalProperties?: unknown;
}

/** An author's schema may come from any library that can parse. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  try {
    return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  } catch {
    return {};
  }
}

function typeOf({ type, enum: values, minimum, maximum }: Described): string {
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' or ');
  const noun = type === 'integer' ? 'whole number' : (type ?? 'any value');
  const from = minimum === undefined || minimum === -Number.MAX_SAFE_INTEGER ? '' : ` from ${minimum}`;
  const to = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? '' : ` to ${maximum}`;
  return `${noun}${from}${to}`;
}
