/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A bare Xen guest whose whole life is an exact number of hypercalls, then a
 * shutdown. One ELF, started by xl as type "pv" or "pvh":
 *
 *   CALLS    x vm_assist(~0, 0)		an op that changes nothing
 *   BATCHES  x multicall of MEMBERS x vm_assist(~0, 0)
 *   1        x sched_op(shutdown, poweroff)
 *
 * The list is written anew before each multicall: a debug Xen spoils it.
 */
#ifndef CALLS
#define CALLS		1000
#define BATCHES		10
#define MEMBERS		71
#endif

#define VM_ASSIST	21
#define MULTICALL	13
#define SCHED_OP	29
#define SHUTDOWN	2

#define ENTRY(op)	hypercall_page + 32 * (op)

/* Xen's public/elfnote.h */
#define NOTE_ENTRY		1
#define NOTE_HYPERCALL_PAGE	2
#define NOTE_VIRT_BASE		3
#define NOTE_XEN_VERSION	5
#define NOTE_GUEST_OS		6
#define NOTE_LOADER		8
#define NOTE_PAE_MODE		9
#define NOTE_PHYS32_ENTRY	18

	.macro	note type:req, desc:vararg
	.pushsection .note.Xen, "a", @note
	.balign	4
	.long	4
	.long	.Lend\@ - .Ldesc\@
	.long	\type
	.asciz	"Xen"
	.balign	4
.Ldesc\@:
	\desc
.Lend\@:
	.balign	4
	.popsection
	.endm

	note	NOTE_GUEST_OS, .asciz "xen-hctrace-test"
	note	NOTE_LOADER, .asciz "generic"
	note	NOTE_XEN_VERSION, .asciz "xen-3.0"
	note	NOTE_VIRT_BASE, .quad 0
	note	NOTE_ENTRY, .quad start_pv
	note	NOTE_HYPERCALL_PAGE, .quad hypercall_page
	note	NOTE_PAE_MODE, .asciz "yes"
	note	NOTE_PHYS32_ENTRY, .long start_pvh

	.text

/* PV: 64 bit, arguments in rdi and rsi, Xen has filled the hypercall page. */
	.code64
	.globl	start_pv
start_pv:
	cld
	movl	$CALLS, %ebx
1:	movq	$-1, %rdi
	xorl	%esi, %esi
	call	ENTRY(VM_ASSIST)
	decl	%ebx
	jnz	1b

	movl	$BATCHES, %ebx
2:	leaq	list, %rdi
	movl	$MEMBERS, %ecx
3:	movq	$VM_ASSIST, 0(%rdi)
	movq	$-1, 16(%rdi)
	addq	$64, %rdi
	decl	%ecx
	jnz	3b
	leaq	list, %rdi
	movl	$MEMBERS, %esi
	call	ENTRY(MULTICALL)
	decl	%ebx
	jnz	2b

	movl	$SHUTDOWN, %edi
	leaq	reason, %rsi
	call	ENTRY(SCHED_OP)
	ud2

/*
 * PVH: 32 bit without paging, arguments in ebx and ecx. The page is asked for
 * through the MSR that Xen's CPUID leaf names.
 */
	.code32
start_pvh:
	cld
	movl	$stack_top, %esp
	movl	$0x40000002, %eax
	cpuid
	movl	%ebx, %ecx
	movl	$hypercall_page, %eax
	xorl	%edx, %edx
	wrmsr

	movl	$CALLS, %esi
1:	movl	$-1, %ebx
	xorl	%ecx, %ecx
	movl	$ENTRY(VM_ASSIST), %eax
	call	*%eax
	decl	%esi
	jnz	1b

	movl	$BATCHES, %esi
2:	movl	$list, %edi
	movl	$MEMBERS, %ecx
3:	movl	$VM_ASSIST, 0(%edi)
	movl	$-1, 8(%edi)
	addl	$32, %edi
	decl	%ecx
	jnz	3b
	movl	$list, %ebx
	movl	$MEMBERS, %ecx
	movl	$ENTRY(MULTICALL), %eax
	call	*%eax
	decl	%esi
	jnz	2b

	movl	$SHUTDOWN, %ebx
	movl	$reason, %ecx
	movl	$ENTRY(SCHED_OP), %eax
	call	*%eax
	ud2

	.data
reason:	.long	0

	.bss
	.balign	4096
list:	.skip	MEMBERS * 64
	.balign	4096
	.skip	4096
stack_top:

	.section .text
	.balign	4096
	.globl	hypercall_page
hypercall_page:
	.skip	4096
