import { type Answered, answerJson } from '../send-response.ts';

export const answerData = (data: unknown, status = 200): Answered => ({ ...answerJson({ data }), status });
