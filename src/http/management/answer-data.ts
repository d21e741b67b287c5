import { type Answered, answerJson } from '../answered.ts';

export const answerData = (data: unknown, status = 200): Answered => ({ ...answerJson({ data }), status });
