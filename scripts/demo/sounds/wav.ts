export const sampleRate = 44_100;

const headerSize = 44;
const bytesPerSample = 2;

/** 16-bit PCM with samples from -1 to 1: one array per channel, all of one length. */
export const wav = (...channels: Float32Array[]): Uint8Array => {
  const frames = channels[0]?.length ?? 0;
  const frameSize = channels.length * bytesPerSample;
  const dataSize = frames * frameSize;
  const header = Buffer.alloc(headerSize);
  header.write("RIFF", 0);
  header.writeUInt32LE(headerSize - 8 + dataSize, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(channels.length, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * frameSize, 28);
  header.writeUInt16LE(frameSize, 32);
  header.writeUInt16LE(bytesPerSample * 8, 34);
  header.write("data", 36);
  header.writeUInt32LE(dataSize, 40);

  const samples = new Int16Array(frames * channels.length);
  channels.forEach((channel, position) => {
    for (let frame = 0; frame < frames; frame++) {
      const sample = Math.max(-1, Math.min(1, channel[frame] ?? 0));
      samples[frame * channels.length + position] = Math.round(sample * 32_767);
    }
  });
  return Buffer.concat([header, new Uint8Array(samples.buffer)]);
};
