/** What a comparison has found, as text and as JSON. */
import { inColumns } from '../text/align-columns.ts';
import { printable, printableJson } from '../text/printable.ts';
import type { Difference, DifferenceKind } from './differences.ts';
import type { ComparedRequest, Finding, Findings } from './findings.ts';
import { shownValue, withoutSecrets } from './hide-secrets.ts';
import type { Omission, ReadRequests } from './read-requests.ts';

export interface Report {
  /** The address of the other server; `url` is Lectern's. */
  readonly with: string;
  readonly url: string;
  readonly source: string;
  /** Undefined for generated requests and for writes. */
  readonly read: Pick<ReadRequests, 'lines' | 'leftOut' | 'isSample'> | undefined;
  /** Whether the requests are lines of a file of writes. */
  readonly hasWrites: boolean;
  readonly hasToken: boolean;
  readonly planned: number;
  readonly findings: Findings;
  /** Why not all was compared. */
  readonly stopped: string | undefined;
}

const kinds: Readonly<Record<DifferenceKind, string>> = {
  status: 'another status',
  header: 'another header',
  missing: 'is missing from Lectern',
  extra: 'is in Lectern alone',
  type: 'another type',
  value: 'another value',
  entries: 'other entries',
  order: 'another order',
  body: 'another body',
};

const omissions: Readonly<Record<Omission, string>> = {
  method: 'with methods other than GET and HEAD',
  outside: 'outside the API and /uploads',
  account: 'that sign in or change accounts',
  cut: 'cut off in the log, or too long',
  unreadable: 'lines without a request',
};

/** Further findings are in the JSON. */
const shownFindings = 50;

export function describeReport(report: Report): string {
  const { findings } = report;
  const list = findings.list();
  const hidden = Math.max(0, list.length - shownFindings) + findings.further;
  return [
    summary(report),
    ...list.slice(0, shownFindings).map((finding, position) => describeFinding(finding, position + 1, report)),
    hidden === 0 ? '' : `… and ${count(hidden)} more differences; --json has up to 1,000 of them.\n`,
    describeUncompared(report),
    describeKnown(report),
    describeTimes(findings),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function summary({ hasWrites, findings, planned, read, source, stopped, with: other, url }: Report): string {
  const { equal, equalButForKnown, different, changedMeanwhile, compared } = findings;
  const left = [...(read?.leftOut ?? [])].map(([reason, number]) => `${count(number)} ${omissions[reason]}`);
  return [
    `Lectern at ${url}, compared with ${other}`,
    `Requests:  ${count(planned)} ${hasWrites ? 'in the order of' : 'different ones from'} ${source}${read?.isSample === true ? ', a sample (--sample)' : ''}`,
    ...(left.length === 0 ? [] : [`Left out:  ${left.join('; ')}`]),
    ...(stopped === undefined ? [] : [`Stopped:   ${stopped}`]),
    `Compared:  ${count(compared)}: ${count(equal)} equal, ${count(equalButForKnown)} equal but for known differences, ${count(different)} different`,
    ...(changedMeanwhile === 0
      ? []
      : [`           ${count(changedMeanwhile)} differed at first and not when repeated: the content changed meanwhile`]),
    '',
  ].join('\n');
}

function describeFinding({ shape, difference, requests, times, example }: Finding, number: number, report: Report): string {
  const { kind, path } = difference;
  const { theirs, ours } = shownSides(difference);
  const often = times === requests ? '' : `, ${count(times)} times in the log`;
  return [
    `${number}. ${shape}   (${count(requests)} ${requests === 1 ? 'request' : 'requests'}${often})`,
    `   ${kind === 'status' ? '' : `${path}: `}${kinds[kind]}`,
    `     there    ${theirs}`,
    `     Lectern  ${ours}`,
    `   ${shortExample(example, report)}`,
    '',
  ].join('\n');
}

const shownSides = ({ path, theirs, ours }: Difference) => ({ theirs: shownValue(path, theirs), ours: shownValue(path, ours) });

/** Longer ones are complete in the JSON only. */
const maxExampleLength = 600;

function shortExample(request: ComparedRequest, report: Report): string {
  const text = request.line === undefined ? curl(request, report) : `line ${request.line}: ${written(request)}`;
  return text.length > maxExampleLength ? `${text.slice(0, maxExampleLength)}…` : text;
}

/** A write is not shown as a command, since it would have another effect the second time. */
const exampleAsJson = (request: ComparedRequest, report: Report) =>
  request.line === undefined ? { curl: curl(request, report) } : { line: request.line, request: written(request) };

const written = ({ method, target }: ComparedRequest) => `${method} ${withoutSecrets(target)}`;

/** For the other server: its response is the one to look at first. */
function curl({ method, target }: ComparedRequest, { with: other, hasToken }: Pick<Report, 'with' | 'hasToken'>): string {
  const url = `${other.replace(/\/+$/, '')}${withoutSecrets(target)}`.replaceAll("'", '%27');
  const token = hasToken ? ' -H "Authorization: Bearer $TOKEN"' : '';
  return `curl -g${method === 'HEAD' ? ' -I' : ''}${token} '${url}'`;
}

function describeUncompared(report: Report): string {
  const lines = report.findings
    .uncompared()
    .map(({ reason, requests, example }) => `  ${count(requests)}  ${printable(reason)}\n     ${shortExample(example, report)}`);
  return lines.length === 0 ? '' : `Not compared:\n${lines.join('\n')}\n`;
}

function describeKnown(report: Report): string {
  const known = report.findings.known();
  if (known.length === 0) return '';
  const lines = known.map(({ reason, requests, example }) => {
    const shown = example === undefined ? '' : `\n     ${shortExample(example, report)}`;
    return `  ${count(requests)}  ${reason}${shown}`;
  });
  return `Known differences, which are intended (docs/differences.md):\n${lines.join('\n')}\n`;
}

function describeTimes(findings: Findings): string {
  const times = timesOf(findings);
  if (times === undefined) return '';
  const row = (name: string, { there, lectern, ratio }: Times) => [name, there.toFixed(1), lectern.toFixed(1), ratio.toFixed(1)];
  return inColumns([['Milliseconds', 'there', 'Lectern', 'ratio'], row('median', times.median), row('95 %', times.p95)]);
}

interface Times {
  readonly there: number;
  readonly lectern: number;
  readonly ratio: number;
}

function timesOf({ theirTimes, ourTimes }: Findings): { readonly median: Times; readonly p95: Times } | undefined {
  if (theirTimes.length === 0) return undefined;
  const [there, lectern] = [theirTimes.toSorted((a, b) => a - b), ourTimes.toSorted((a, b) => a - b)];
  const at = (share: number): Times => {
    const of = (times: readonly number[]) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
    return { there: of(there), lectern: of(lectern), ratio: of(there) / Math.max(of(lectern), 0.001) };
  };
  return { median: at(0.5), p95: at(0.95) };
}

export function reportAsJson(report: Report): string {
  const { findings, planned, read, stopped } = report;
  const { equal, equalButForKnown, different, changedMeanwhile, compared, further } = findings;
  const document = {
    with: report.with,
    url: report.url,
    requests: planned,
    isSample: read?.isSample ?? false,
    leftOut: Object.fromEntries(read?.leftOut ?? []),
    stopped: stopped ?? null,
    compared,
    equal,
    equalButForKnown,
    different,
    changedMeanwhile,
    differences: findings.list().map(({ shape, difference, requests, times, example }) => ({
      shape,
      kind: difference.kind,
      path: difference.path,
      requests,
      times,
      example: { ...shownSides(difference), ...exampleAsJson(example, report) },
    })),
    furtherDifferences: further,
    notCompared: findings.uncompared().map(({ reason, requests, example }) => ({ reason, requests, ...exampleAsJson(example, report) })),
    known: findings.known().map(({ reason, requests, example }) => ({
      reason,
      requests,
      ...(example === undefined ? {} : exampleAsJson(example, report)),
    })),
    milliseconds: timesOf(findings) ?? null,
  };
  return `${printableJson(document, 2)}\n`;
}

const count = (number: number) => number.toLocaleString('en-US');
