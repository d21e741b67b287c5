import { type ErrorDefinition, validation } from './error-definition.ts';

export const rolesErrors = {
  'role.empty-body': validation(() => 'Request body cannot be empty'),
  'role.invalid-body': validation((a: { problem: string }) => a.problem),
  'role.reserved': {
    status: 400,
    name: 'ApplicationError',
    message: (a: { type: string }) => `A role of the type ${a.type} already exists, and there can be only one`,
  },
  'role.public': { status: 400, name: 'ApplicationError', message: () => 'Cannot delete public role' },
  'role.not-found': { status: 404, name: 'NotFoundError', message: () => 'Role not found' },
  'management.document': validation((a: { problem: string }) => a.problem),
  'management.declared': {
    status: 409,
    name: 'ConflictError',
    message: (a: { what: string; source: string }) => `${a.what} is declared in ${a.source} of the project; change it there`,
  },
  'management.role-taken': {
    status: 409,
    name: 'ConflictError',
    message: (a: { type: string }) => `A role of the type ${a.type} already exists`,
  },
} as const satisfies Record<string, ErrorDefinition>;
