/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A bare Xen guest whose whole life is an exact number of hypercalls, then a
 * shutdown. One ELF, started by xl as type "pv" or "pvh":
 *
 *   CALLS    x vm_assist(~0, 0)		an op that changes nothing
 *   BATCHES  x multicall of MEMBERS x vm_assist(~0, 0)
 *   with MIX also 20 x vcpu_op(is_up, 0), 10 x grant_table_op(get_version, .., 1),
 *            5 x multicall of 3 and 2 x multicall of 200
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
#define GRANT_TABLE_OP	20
#define VCPU_OP		24
#define SCHED_OP	29
#define IS_UP		3
#define GET_VERSION	10
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

/* COUNT times hypercall OP; PV takes its arguments in rdi, rsi, rdx */
	.macro	pv_calls count:req, op:req, a0=0, a1=0, a2=0
	movl	$\count, %ebx
.Lagain\@:
	movq	$\a0, %rdi
	movq	$\a1, %rsi
	movq	$\a2, %rdx
	call	ENTRY(\op)
	decl	%ebx
	jnz	.Lagain\@
	.endm

	.macro	pv_multicalls count:req, members:req
	movl	$\count, %ebx
.Lagain\@:
	leaq	list, %rdi
	movl	$\members, %ecx
.Lmember\@:
	movq	$VM_ASSIST, 0(%rdi)
	movq	$-1, 16(%rdi)
	addq	$64, %rdi
	decl	%ecx
	jnz	.Lmember\@
	leaq	list, %rdi
	movl	$\members, %esi
	call	ENTRY(MULTICALL)
	decl	%ebx
	jnz	.Lagain\@
	.endm

/* The same for PVH in 32 bits: ebx, ecx, edx, and half as wide a list */
	.macro	pvh_calls count:req, op:req, a0=0, a1=0, a2=0
	movl	$\count, %esi
.Lagain\@:
	movl	$\a0, %ebx
	movl	$\a1, %ecx
	movl	$\a2, %edx
	movl	$ENTRY(\op), %eax
	call	*%eax
	decl	%esi
	jnz	.Lagain\@
	.endm

	.macro	pvh_multicalls count:req, members:req
	movl	$\count, %esi
.Lagain\@:
	movl	$list, %edi
	movl	$\members, %ecx
.Lmember\@:
	movl	$VM_ASSIST, 0(%edi)
	movl	$-1, 8(%edi)
	addl	$32, %edi
	decl	%ecx
	jnz	.Lmember\@
	movl	$list, %ebx
	movl	$\members, %ecx
	movl	$ENTRY(MULTICALL), %eax
	call	*%eax
	decl	%esi
	jnz	.Lagain\@
	.endm

	.text

/* PV: 64 bit, Xen has filled the hypercall page. */
	.code64
	.globl	start_pv
start_pv:
	cld
	pv_calls CALLS, VM_ASSIST, -1
	pv_multicalls BATCHES, MEMBERS
#ifdef MIX
	pv_calls 20, VCPU_OP, IS_UP
	pv_calls 10, GRANT_TABLE_OP, GET_VERSION, version, 1
	pv_multicalls 5, 3
	pv_multicalls 2, 200
#endif
	pv_calls 1, SCHED_OP, SHUTDOWN, reason
	ud2

/*
 * PVH: 32 bit without paging. The page is asked for through the MSR that Xen's
 * CPUID leaf names.
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

	pvh_calls CALLS, VM_ASSIST, -1
	pvh_multicalls BATCHES, MEMBERS
#ifdef MIX
	pvh_calls 20, VCPU_OP, IS_UP
	pvh_calls 10, GRANT_TABLE_OP, GET_VERSION, version, 1
	pvh_multicalls 5, 3
	pvh_multicalls 2, 200
#endif
	pvh_calls 1, SCHED_OP, SHUTDOWN, reason
	ud2

	.data
reason:	.long	0
version: .quad	0	/* of the grant table: domid in, version out */

	.bss
	.balign	4096
list:	.skip	256 * 64
	.balign	4096
	.skip	4096
stack_top:

	.section .text
	.balign	4096
	.globl	hypercall_page
hypercall_page:
	.skip	4096
