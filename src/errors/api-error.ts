/** An expected failure of a request. Stages throw it, which reads better than returning errors from
 *  parsers ten calls deep. Any other error is a bug and becomes a 500 without details. */
import { type ErrorArguments, type ErrorCode, errorCatalogue } from './catalogue/catalogue.ts';
import type { ErrorDefinition } from './catalogue/error-definition.ts';

export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly errorName: string;
  /** Undefined only where Strapi omits the key. */
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** A plainer message than Strapi's; undefined where there is none. */
  readonly help: string | undefined;
  /** What the response of a server in development has beside its message, as `details.hint`. */
  readonly hint: string | undefined;
  /** Where in a body the problem is, if neither `details` nor Strapi's error say so. Only a dry run
   *  shows it. */
  readonly location: readonly string[] | undefined;

  private constructor(
    code: ErrorCode,
    message: string,
    details: Readonly<Record<string, unknown>> | undefined,
    {
      help,
      hint,
      location,
      ...options
    }: ErrorOptions & {
      readonly help?: string | undefined;
      readonly hint?: string;
      readonly location?: readonly string[] | undefined;
    } = {},
  ) {
    super(message, options);
    const definition = errorCatalogue[code];
    this.code = code;
    this.status = definition.status;
    this.errorName = definition.name;
    this.details = details;
    this.help = help;
    this.hint = hint;
    this.location = location;
  }

  /** `ApiError.of('limit.depth', { limit: 20, … })`. The body of the response has the `details`. */
  static of<Code extends ErrorCode>(code: Code, ...[at, details = {}]: ErrorParts<Code>): ApiError {
    const { message, help }: ErrorDefinition = errorCatalogue[code];
    return new ApiError(code, message(at), details, { help: help?.(at) });
  }

  /** A failure of something that the server depends on. The cause is only logged. */
  static causedBy<Code extends ErrorCode>(cause: Error, code: Code, ...parts: ErrorParts<Code>): ApiError {
    const { message, details, help } = ApiError.of(code, ...parts);
    return new ApiError(code, message, details, { cause, help });
  }

  /** The same error with help that only its context knows. */
  helpedBy(help: string): ApiError {
    return new ApiError(this.code, this.message, this.details, { cause: this.cause, help, location: this.location });
  }

  /** The same error with its place in a body. */
  locatedAt(location: readonly string[]): ApiError {
    const { code, message, details, cause, help } = this;
    return new ApiError(code, message, details, { cause, help, location });
  }

  hintedBy(hint: string): ApiError {
    const { code, message, details, cause, help, location } = this;
    return new ApiError(code, message, details, { cause, help, hint, location });
  }

  /** Seconds after which the same request may succeed; undefined if unknown. */
  get retryAfter(): number | undefined {
    const definition: ErrorDefinition = errorCatalogue[this.code];
    return definition.retryAfter;
  }

  /** The message for the operator: the cause, if there is one, which clients do not see. */
  get problem(): string {
    return this.cause instanceof Error ? this.cause.message : this.message;
  }

  /** The error as plain data for another process: class instances cannot be sent there. */
  toData(): ApiErrorData {
    const { code, message, details, help, location } = this;
    return { code, message, details, help, location, cause: this.cause instanceof Error ? this.problem : undefined };
  }

  static fromData({ code, message, details, help, location, cause }: ApiErrorData): ApiError {
    const options = { help, location };
    return new ApiError(code, message, details, cause === undefined ? options : { ...options, cause: new Error(cause) });
  }
}

/** The values for the text of an error, if it has placeholders, and the `details` of its body. */
type ErrorParts<Code extends ErrorCode> =
  undefined extends ErrorArguments<Code> ? [at?: undefined, details?: Details] : [at: ErrorArguments<Code>, details?: Details];
type Details = Readonly<Record<string, unknown>>;

export interface ApiErrorData {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly help: string | undefined;
  readonly location?: readonly string[] | undefined;
  /** The message of its cause. */
  readonly cause: string | undefined;
}
