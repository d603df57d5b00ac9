import type { Command } from 'commander';
import type { ConfigSources } from '../../app/config/load.ts';
import { collectSettings } from './arguments.ts';

export interface ConfigOptions {
  readonly config?: readonly string[];
  readonly set?: Readonly<Record<string, string>>;
}

const gather = (file: string, earlier: readonly string[] = []): readonly string[] => [...earlier, file];

/** Adds the options that choose a configuration to a command. */
export function withConfigOptions(command: Command): Command {
  return command
    .option('-c, --config <file>', 'TOML file of settings; several are laid over each other', gather)
    .option('-s, --set <key=value>', 'one setting, over files and environment; repeatable', collectSettings);
}

/** The sources that the options name; `fallbackFiles` apply if no file was given. */
export function sourcesOf(
  options: ConfigOptions,
  environment: ConfigSources['environment'],
  fallbackFiles: readonly string[] = [],
): ConfigSources {
  return { files: options.config ?? fallbackFiles, environment, settings: options.set ?? {} };
}
