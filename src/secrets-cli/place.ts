/** Where a secret goes. Without a region, it's the set's own, or the organization's default for a new one. */
export interface Place {
  organization: string;
  name: string;
  region?: string | undefined;
}

export const describe = ({ organization, name }: Place): string => `${name} in organization ${organization}`;
