/**
 * Builds the package that people install, and packs it:
 *
 *     npm run package                 # dist/touchline-VERSION.tgz and dist/touchline-VERSION.sbom.json
 *     npm run package -- FOLDER       # the same in another folder, which is emptied first
 *
 * The package is staged in `package` beside it with a manifest of its own. In it, `lib` holds compiled modules with source maps
 * and `types` their declarations. One build makes all entries, because a class that existed twice would break `instanceof`.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { FIRST_PAGE, isPackaged, PACKAGED } from './packaged-files.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = path.resolve(process.argv[2] ?? path.join(ROOT, 'dist'));
const STAGING = path.join(DIST, 'package');

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

const manifest = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as Manifest;

/** Exported names and their source files, as `['strategy', 'src/strategy/sdk.ts']`. */
const exportedModules = Object.entries(manifest.exports).flatMap(([name, file]) =>
  file.endsWith('.ts') ? [[path.basename(name), path.normalize(file)] as const] : [],
);

/** Programs: what a process or a thread starts. Their names are those of their source files. */
const PROGRAMS = [
  'src/cli/main.ts',
  'src/app/simulated/exchange-thread.ts',
  'src/app/research/sweep-thread.ts',
  'src/app/watchdog/watchdog-thread.ts',
];

const nameOf = (file: string): string => path.basename(file, '.ts');

/** Observables pass between the package and its users, so both share one copy of these. */
const PEERS = ['rxjs'];

/** Compiles every entry with shared chunks. Dependencies stay imports. */
async function compile(): Promise<void> {
  const plugins = readdirSync(path.join(ROOT, 'strategies'), { encoding: 'utf8', recursive: true })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.replaceAll(path.sep, '/').replace(/\.ts$/, ''));
  const bundle = await rolldown({
    cwd: ROOT,
    platform: 'node',
    input: {
      ...Object.fromEntries(exportedModules),
      ...Object.fromEntries(PROGRAMS.map((file) => [nameOf(file), file])),
      ...Object.fromEntries(plugins.map((plugin) => [`strategies/${plugin}`, `strategies/${plugin}.ts`])),
    },
    external: (id) => !id.startsWith('.') && !path.isAbsolute(id),
  });
  await bundle.write({
    dir: path.join(STAGING, 'lib'),
    // A stack trace names file and line of the source. The text of the sources would double the package.
    sourcemap: true,
    sourcemapExcludeSources: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
  });
  await bundle.close();
}

/** Builds the pages that commands write. */
function buildPages(): void {
  for (const file of ['report.html', 'dashboard.html', 'dashboard-worker.js'])
    run(process.execPath, ['scripts/page.ts', file, path.join(STAGING, 'lib', file)], ROOT);
}

/** Writes the declarations of the exported modules and of all that these mention. */
function declare(): void {
  const config = path.join(DIST, 'tsconfig.json');
  const emitted = path.join(DIST, 'declarations');
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    outDir: emitted,
    rootDir: ROOT,
    typeRoots: [path.join(ROOT, 'node_modules/@types')],
  };
  const files = exportedModules.map(([, file]) => path.join(ROOT, file));
  writeFileSync(
    config,
    JSON.stringify({ extends: path.join(ROOT, 'tsconfig.json'), compilerOptions, include: [], files }),
  );
  run(process.execPath, [path.join(ROOT, 'node_modules/@typescript/native/bin/tsc'), '-p', config], ROOT);
  const taken = new Set<string>();
  for (const [, file] of exportedModules) takeDeclaration(emitted, declarationOf(file), taken);
  rmSync(emitted, { recursive: true });
  rmSync(config);
}

const declarationOf = (file: string): string => file.replace(/\.ts$/, '.d.ts');

/** A relative module in a declaration: `from './a.ts'` or `import("./a.ts")`. */
const RELATIVE_MODULE = /(?<=(?:from |import\()['"])(\.[^'"]+)\.ts(?=['"])/g;

/** Stages a declaration and those that it mentions. A module's address ends in `.js`, as the compiled one's does. */
function takeDeclaration(emitted: string, file: string, taken: Set<string>): void {
  if (taken.has(file)) return;
  taken.add(file);
  const text = readFileSync(path.join(emitted, file), 'utf8');
  for (const [, module = ''] of text.matchAll(RELATIVE_MODULE))
    takeDeclaration(emitted, path.join(path.dirname(file), `${module}.d.ts`), taken);
  const target = path.join(STAGING, 'types', file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, text.replace(RELATIVE_MODULE, '$1.js'));
}

/** The manifest of the package: its entries are compiled, and nothing in it is needed only for development. */
function describe(): void {
  const { name, version, description, license, type, engines, dependencies, optionalDependencies } = manifest;
  const needed = Object.entries(dependencies).filter(([dependency]) => !PEERS.includes(dependency));
  const entries: Record<string, unknown> = {};
  for (const [entry, file] of exportedModules)
    entries[`./${entry}`] = { types: `./types/${declarationOf(file)}`, default: `./lib/${entry}.js` };
  const packaged = {
    name,
    version,
    description,
    license,
    type,
    engines,
    bin: { touchline: 'bin/touchline' },
    exports: { ...entries, './package.json': './package.json' },
    dependencies: Object.fromEntries(needed),
    // The Node that runs the command, whatever the machine has.
    optionalDependencies,
    peerDependencies: Object.fromEntries(PEERS.map((peer) => [peer, `^${dependencies[peer]}`])),
  };
  writeFileSync(path.join(STAGING, 'package.json'), `${JSON.stringify(packaged, null, 2)}\n`);
}

/** Runs a command to its end. Throws an Error with its output if it fails. */
function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status === 0) return stdout;
  throw new Error(`${command} ${args.join(' ')} failed: ${error?.message ?? ''}${stdout}${stderr}`);
}

/**
 * Writes the list of all packages that the program uses at run time, with their versions, licences and checksums, in the form
 * CycloneDX. Returns their number.
 */
function listParts(): number {
  const list = run('npm', ['sbom', '--sbom-format=cyclonedx', '--omit=dev', '--package-lock-only'], ROOT);
  writeFileSync(path.join(DIST, `touchline-${manifest.version}.sbom.json`), list);
  return (JSON.parse(list) as { readonly components: readonly unknown[] }).components.length;
}

rmSync(DIST, { recursive: true, force: true });
mkdirSync(STAGING, { recursive: true });
await compile();
buildPages();
declare();
for (const file of PACKAGED)
  cpSync(path.join(ROOT, file), path.join(STAGING, file), { recursive: true, filter: isPackaged });
cpSync(path.join(ROOT, FIRST_PAGE.clone), path.join(STAGING, FIRST_PAGE.packaged));
describe();
const [packed] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', DIST], STAGING)) as [
  { filename: string; size: number; unpackedSize: number; entryCount: number },
];
const components = listParts();
const kB = (bytes: number): string => `${(bytes / 1000).toFixed(0)} kB`;
console.log(
  `${path.relative(ROOT, path.join(DIST, packed.filename))}: ${kB(packed.size)} packed, ${kB(packed.unpackedSize)} in ${packed.entryCount} files`,
);
console.log(`${components} packages are listed in touchline-${manifest.version}.sbom.json`);
