/** Whether a product is sent to its buyer, where nobody says otherwise: physical goods are, files and services are not. */
export const isSentByDefault = (type: string | undefined): boolean => type === "physical";
