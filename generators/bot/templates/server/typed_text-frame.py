"""Hands what people type to the speech-to-speech service, which doesn't answer it in the context."""

from pipecat.frames.frames import Frame, InputTextRawFrame, LLMMessagesAppendFrame
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor


class TypedText(FrameProcessor):
    """Takes typed messages on their way to the context. The framework interrupts the bot before each."""

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Pass on everything, and typed messages to the service, too."""
        await super().process_frame(frame, direction)
        match frame:
            case LLMMessagesAppendFrame(
                messages=[{"role": "user", "content": str(text)}], run_llm=True
            ):
                typed = InputTextRawFrame(text)
                # Otherwise it would count as the bot's words.
                typed.append_to_context = False
                await self.push_frame(typed, direction)
        await self.push_frame(frame, direction)
