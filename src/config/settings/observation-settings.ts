/** `log` and `metrics`: what the server reports to those who run it. */
import { boolean, choice, optionalInteger, text } from '../setting.ts';

export const logSettings = {
  level: choice({ fatal: 'fatal', error: 'error', warn: 'warn', info: 'info', debug: 'debug', trace: 'trace', silent: 'silent' }, 'info', {
    description: 'Lowest level of log lines that are written',
  }),
  slow: optionalInteger([1, 3_600_000], {
    description:
      'Requests that take at least this many milliseconds are logged with their stages and statements, without values ([operations.md](operations.md#slow-requests)); without this setting none are',
  }),
  slowPlans: boolean(false, {
    description:
      'Whether the log line of a slow read also has the plans of its statements, which Lectern asks the database for after the response',
  }),
};

export const metricsSettings = {
  port: optionalInteger([0, 65535], {
    description:
      'Port of its own for `/metrics`, for Prometheus ([operations.md](operations.md#metrics)); 0 takes any free port, which the start prints. Without it and without `LECTERN_METRICS_TOKEN` there are no metrics',
  }),
  host: text('127.0.0.1', { description: 'IP address or host name that this port listens on' }),
};
