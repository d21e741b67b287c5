import { type ErrorDefinition, validation } from './error-definition.ts';

export const imagesErrors = {
  'image.broken': { status: 400, name: 'ApplicationError', message: () => 'File is not a valid image' },
  'image.not-an-image': validation(() => 'Variants can be made only of JPEG, PNG, WebP, AVIF, TIFF and GIF images'),
  'image.too-large': {
    status: 400,
    name: 'ApplicationError',
    message: (a: { limit: number }) => `The image has more than ${a.limit} pixels (upload.pixels)`,
  },
  'image.too-slow': {
    status: 400,
    name: 'ApplicationError',
    message: (a: { limit: number }) => `Processing the image takes longer than ${a.limit} ms (upload.imageTime)`,
  },
  'image.busy': { status: 503, name: 'ServiceUnavailableError', message: () => 'Too many images are waiting; retry later' },
  'variant.parameter': validation((a: { name: string; expected: string }) => `${a.name}: expected ${a.expected}`),
  'variant.not-allowed': {
    status: 403,
    name: 'ForbiddenError',
    message: (a: { name: string; allowed: string }) => `${a.name} must be one of ${a.allowed}, or the URL must be signed`,
  },
  'variant.signature': { status: 403, name: 'ForbiddenError', message: () => 'The signature of the URL is wrong or has expired' },
} as const satisfies Record<string, ErrorDefinition>;
