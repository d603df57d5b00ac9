import convict from 'convict';
import { configSchema } from './schema.ts';

export type Convict = ReturnType<typeof makeConvict>;

/** The settings of a run, every key with a value. */
export type Config = ReturnType<Convict['getProperties']>;

/** Defaults overlaid by the environment, not validated yet. */
export function makeConvict(environment: Readonly<Record<string, string | undefined>>) {
  return convict(configSchema, { args: [], env: definedOnly(environment) });
}

function definedOnly(environment: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
}
