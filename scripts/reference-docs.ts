/**
 * Writes docs/strategies/reference: the signature, the docstring and the example of each name that authors of strategies import.
 *
 * Usage: node scripts/reference-docs.ts
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  Application,
  type Comment,
  type DeclarationReflection,
  type ParameterReflection,
  type ProjectReflection,
  ReferenceReflection,
  ReflectionKind,
  type SignatureReflection,
  type SomeType,
} from 'typedoc';
import { formatted } from './formatted.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = new URL('../docs/strategies/reference/', import.meta.url);

interface Module {
  /** The name of its page, and of its entry in the package. */
  readonly name: string;
  readonly file: string;
  /** Said below the heading, after the module's own text. */
  readonly note: string;
}

/** A name that several modules export is on the page of the first of them. */
const MODULES: readonly Module[] = [
  {
    name: 'pricing',
    file: 'src/strategy/pricing/index.ts',
    note: '`touchline/strategy` exports all these names, too. [pricing.md](../pricing.md) lists formulas and sources.',
  },
  {
    name: 'strategy',
    file: 'src/strategy/sdk.ts',
    note: '`touchline/strategy` also exports every name of [`touchline/pricing`](pricing.md). [writing.md](../writing.md) explains the contract.',
  },
  {
    name: 'testing',
    file: 'src/testing/index.ts',
    note: '[testing.md](../testing.md) describes the scenarios.',
  },
];

const EXAMPLES = `The examples are compiled and run by a test. In them, all names are imported; \`view\` is a view of a football match an hour
before its start, and \`selection\` its home win, which takers can back at 2.30 and lay at 2.36. A comment behind a statement is
its value, rounded.`;

/** The formatter takes a constant without a value only as a declaration. Readers do without the word. */
const CONSTANT = 'declare const ';

/** Exported names mention these, and nobody else needs them. */
const INNER_TYPES = [
  'HorizonState',
  'MoveStart',
  'SelectionState',
  'WaitingFill',
  'CallObserver',
  'Parts',
  'SavedSession',
  'BetId',
  'BetslipId',
  'BetType',
  'OrderId',
  'RequestUuid',
];

/** Their members are shown with the types that extend them. */
const INNER_BASES = ['Counts'];

/** The pages by their file names, formatted. Throws an Error that lists every name without a docstring or an example. */
export async function referencePages(): Promise<ReadonlyMap<string, string>> {
  const project = await converted();
  const pages = new Map<string, string>();
  const faults: string[] = [];
  const listed = new Set<string>();
  for (const module of MODULES) {
    const names = exportsOf(project, module).filter(({ name }) => !listed.has(name));
    for (const each of names) {
      listed.add(each.name);
      faults.push(...faultsOf(each));
    }
    const text = pageOf(module, textOf(moduleOf(project, module).comment), names);
    const page = await formatted(`${module.name}.md`, text);
    pages.set(`${module.name}.md`, page.replaceAll(`\n${CONSTANT}`, '\nconst '));
  }
  if (faults.length > 0) throw new Error(`the reference is incomplete:\n${faults.join('\n')}`);
  return pages;
}

async function converted(): Promise<ProjectReflection> {
  const app = await Application.bootstrap({
    entryPoints: MODULES.map(({ file }) => `${ROOT}${file}`),
    tsconfig: `${ROOT}tsconfig.json`,
    // The types of the whole project are checked elsewhere.
    skipErrorChecking: true,
    excludeExternals: true,
    disableGit: true,
    sourceLinkTemplate: '{path}',
    readme: 'none',
    sort: ['source-order'],
    intentionallyNotExported: INNER_TYPES,
    treatValidationWarningsAsErrors: true,
    logLevel: 'Warn',
  });
  // Without the rest of the project, which would take most of the time.
  const { options } = app;
  options.setCompilerOptions(
    options.getValue('entryPoints'),
    options.getCompilerOptions(app.logger),
    undefined,
  );
  const project = await app.convert();
  if (project === undefined) throw new Error('typedoc could not read the modules');
  app.validate(project);
  if (app.logger.hasErrors() || app.logger.hasWarnings())
    throw new Error('typedoc has objections: see above');
  return project;
}

function moduleOf(project: ProjectReflection, { file }: Module): DeclarationReflection {
  const found = project.children?.find(
    ({ sources }) => sources?.some(({ fullFileName }) => fullFileName.endsWith(file)) === true,
  );
  if (found === undefined) throw new Error(`typedoc has not read ${file}`);
  return found;
}

/** What a module exports, whichever module declares it, by name. */
function exportsOf(project: ProjectReflection, module: Module): readonly DeclarationReflection[] {
  const children = moduleOf(project, module).children ?? [];
  return children
    .map((child) =>
      child instanceof ReferenceReflection
        ? (child.getTargetReflectionDeep() as DeclarationReflection)
        : child,
    )
    .sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
}

function pageOf({ name, note }: Module, text: string, names: readonly DeclarationReflection[]): string {
  const functions = names.filter(({ kind }) => kind === ReflectionKind.Function);
  const values = names.filter(({ kind }) => kind === ReflectionKind.Variable);
  const types = names.filter((each) => !functions.includes(each) && !values.includes(each));
  const groups = [
    ['Functions', functions],
    ['Values', values],
    ['Types', types],
  ] as const;
  const filled = groups.filter(([, members]) => members.length > 0);
  return [
    `# \`touchline/${name}\``,
    `\`npm run docs:reference\` writes this page from the source.`,
    text,
    note,
    EXAMPLES,
    filled.map(([title, members]) => `- ${title}: ${members.map(linkTo).join(',\n  ')}`).join('\n'),
    ...filled.flatMap(([title, members]) => [`## ${title}`, ...members.map(sectionOf)]),
  ].join('\n\n');
}

/** A type may have the name of a function but for its first letter, and anchors ignore case. */
const headingOf = ({ name, kind }: DeclarationReflection): string =>
  kind === ReflectionKind.Function || kind === ReflectionKind.Variable ? `\`${name}\`` : `\`${name}\` type`;

const linkTo = (each: DeclarationReflection): string =>
  `[\`${each.name}\`](#${headingOf(each).toLowerCase().replaceAll('`', '').replaceAll(' ', '-')})`;

function sectionOf(each: DeclarationReflection): string {
  return [
    `### ${headingOf(each)}`,
    textOf(commentOf(each)),
    fenced(signatureOf(each).join('\n')),
    exampleOf(each),
  ].join('\n\n');
}

const fenced = (code: string): string => `\`\`\`ts\n${code}\n\`\`\``;

const commentOf = ({ comment, signatures, getSignature }: DeclarationReflection): Comment | undefined =>
  comment ?? signatures?.[0]?.comment ?? getSignature?.comment;

const textOf = (comment: Comment | undefined): string =>
  (comment?.summary ?? [])
    .map(({ text }) => text)
    .join('')
    .trim();

const exampleOf = (each: DeclarationReflection): string =>
  (commentOf(each)?.getTag('@example')?.content ?? [])
    .map(({ text }) => text)
    .join('')
    .trim();

function faultsOf(each: DeclarationReflection): string[] {
  const faults = [];
  if (textOf(commentOf(each)) === '') faults.push(`${each.name} has no docstring`);
  if (!exampleOf(each).startsWith('```ts\n')) faults.push(`${each.name} has no @example`);
  return faults;
}

function signatureOf(each: DeclarationReflection): string[] {
  const { name, type, kind } = each;
  if (each.signatures !== undefined) return each.signatures.map((call) => `function ${callOf(call)};`);
  if (kind === ReflectionKind.Variable) return [`${CONSTANT}${name}: ${typeText(type)};`];
  const head = `${name}${parametersOf(each.typeParameters)}`;
  if (kind === ReflectionKind.TypeAlias) return [`type ${head} = ${typeText(type)};`];
  const bases = (each.extendedTypes ?? []).filter((base) => !isInner(String(base)));
  const extended = bases.length === 0 ? '' : ` extends ${bases.map(String).join(', ')}`;
  const own = (each.children ?? []).filter(
    ({ inheritedFrom }) => inheritedFrom === undefined || isInner(inheritedFrom.name),
  );
  const members = own.filter((member) => member.kind !== ReflectionKind.Constructor);
  return [
    `${kind === ReflectionKind.Class ? 'class' : 'interface'} ${head}${extended} {`,
    ...members.flatMap(memberOf),
    '}',
  ];
}

/** Whether a name is that of an inner base, or of a member of it. */
const isInner = (name: string): boolean => INNER_BASES.some((inner) => name.split(/[.<]/)[0] === inner);

/** A member of an interface, below its docstring. */
function memberOf(member: DeclarationReflection): string[] {
  const { name, getSignature, signatures, flags } = member;
  const text = textOf(commentOf(member)).replaceAll('\n', '\n * ');
  const docstring = text === '' ? [] : text.includes('\n') ? [`/**\n * ${text}\n */`] : [`/** ${text} */`];
  if (signatures !== undefined) return [...docstring, ...signatures.map((call) => `${callOf(call)};`)];
  const mark = flags.isOptional ? '?' : '';
  const { type, prefix } =
    getSignature === undefined
      ? { type: member.type, prefix: flags.isReadonly ? 'readonly ' : '' }
      : { type: getSignature.type, prefix: 'readonly ' };
  return [...docstring, `${prefix}${name}${mark}: ${typeText(type)};`];
}

function callOf({ name, typeParameters, parameters = [], type }: SignatureReflection): string {
  const given = parameters.map((parameter) => parameterOf(parameter)).join(', ');
  return `${name}${parametersOf(typeParameters)}(${given}): ${typeText(type)}`;
}

const parametersOf = (parameters: DeclarationReflection['typeParameters']): string => {
  if (parameters === undefined || parameters.length === 0) return '';
  const written = parameters.map(({ name, default: fallback }) =>
    fallback === undefined ? name : `${name} = ${typeText(fallback)}`,
  );
  return `<${written.join(', ')}>`;
};

function parameterOf({ name, type, flags, defaultValue }: ParameterReflection): string {
  const mark = flags.isOptional || defaultValue !== undefined ? '?' : '';
  const shown = name === '__namedParameters' ? nameFor(type) : name;
  return `${shown}${mark}: ${typeText(type)}`;
}

/** A name for a parameter that is taken apart in its function: the last word of its type, as `view` for an `EventView`. */
function nameFor(type: SomeType | undefined): string {
  const [word = 'values'] =
    typeText(type)
      .match(/[A-Z][a-z]+(?![a-z]*[A-Z][a-z])(?=\W|$)/g)
      ?.slice(-1) ?? [];
  return word.toLowerCase();
}

const typeText = (type: SomeType | undefined): string => type?.toString() ?? 'unknown';

if (import.meta.main) {
  for (const [name, text] of await referencePages()) writeFileSync(new URL(name, FOLDER), text);
}
